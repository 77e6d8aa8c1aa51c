import { CloudServerOutlined, ReloadOutlined } from '@ant-design/icons'
import type { RouterRow, Server } from '@homeport/contract'
import { Button, Card, Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PageSkeleton } from '../../../ui/PageSkeleton.tsx'
import { useServers } from '../api/list-servers.ts'
import { useLatency } from '../api/measure-latency.ts'
import { rateLatency } from '../latency.ts'
import cardStyles from './DeviceCard.module.css'
import styles from './ServersTab.module.css'
import { StatusDot } from './StatusDot.tsx'

/** 线路: the relays, which one the device is at, and how far each is from this browser. */
export function ServersTab(props: { device: RouterRow }) {
  const { t } = useTranslation('devices')
  const { data, error, refetch, isFetching } = useServers()
  if (data === undefined) {
    if (error === null) return <PageSkeleton />
    return (
      <ErrorState
        title={t('servers.failed')}
        error={error}
        onRetry={refetch}
        isRetrying={isFetching}
      />
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState
        icon={<CloudServerOutlined />}
        title={t('servers.empty')}
        detail={t('servers.emptyDetail')}
      />
    )
  }
  return (
    <>
      <p className={styles.detail}>{t('servers.detail')}</p>
      <ul className={cardStyles.grid}>
        {data.map(server => (
          <li key={server.id}>
            <ServerCard server={server} isCurrent={server.id === props.device.server} />
          </li>
        ))}
      </ul>
    </>
  )
}

function ServerCard(props: { server: Server; isCurrent: boolean }) {
  const { t } = useTranslation('devices')
  const { server, isCurrent } = props
  const place = [server.region, server.host].filter(Boolean).join(' · ')
  return (
    <Card size="small">
      <div className={cardStyles.head}>
        <StatusDot online={server.online} />
        {isCurrent && <Tag color="success">{t('servers.current')}</Tag>}
      </div>
      <h2 className={cardStyles.name}>{server.name}</h2>
      <p className={styles.detail}>{place}</p>
      {server.online && (
        <>
          <Latency server={server} />
          <p className={styles.load}>
            {t('servers.load', { percent: Math.round(server.load * 100) })}
          </p>
        </>
      )}
    </Card>
  )
}

const tones = { good: 'success', fair: 'processing', poor: 'warning' } as const

function Latency(props: { server: Server }) {
  const { t } = useTranslation('devices')
  const { data: ms, isFetching, refetch } = useLatency(props.server)
  const rating = typeof ms === 'number' ? rateLatency(ms) : undefined
  return (
    <div className={styles.latency}>
      <span role="status">
        {t('servers.latency')}{' '}
        {isFetching ? (
          t('servers.measuring')
        ) : typeof ms === 'number' ? (
          <strong className={styles.ms}>{t('servers.ms', { ms })}</strong>
        ) : (
          t('servers.unreachable')
        )}
      </span>
      {!isFetching && rating !== undefined && (
        <Tag color={tones[rating]}>{t(`servers.${rating}`)}</Tag>
      )}
      <Button
        type="text"
        size="small"
        icon={<ReloadOutlined />}
        aria-label={t('servers.again')}
        title={t('servers.again')}
        disabled={isFetching}
        onClick={() => refetch()}
      />
    </div>
  )
}
