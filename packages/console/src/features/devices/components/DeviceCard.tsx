import { PauseCircleOutlined } from '@ant-design/icons'
import type { RouterRow } from '@homeport/contract'
import { Tag } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import styles from './DeviceCard.module.css'
import { LastSeen } from './LastSeen.tsx'
import { StatusDot } from './StatusDot.tsx'

/** One device of the list; the whole card leads to its page. */
export function DeviceCard(props: { device: RouterRow }) {
  const { t } = useTranslation('devices')
  const { device } = props
  const address = device.public_ip || device.lan_ip
  const facts = [
    ['address', address || t('facts.none')],
    ['version', device.agent_version || t('facts.none')],
    ['names', device.records.length],
    ['lastSeen', <LastSeen key="seen" device={device} />],
  ] as const
  return (
    <article className={styles.card}>
      <div className={styles.head}>
        <StatusDot online={device.status === 'online'} />
        <span className={styles.badges}>
          {device.paused && (
            <Tag color="warning" icon={<PauseCircleOutlined />}>
              {t('paused')}
            </Tag>
          )}
          {device.is_key_shared && <Tag color="error">{t('sharedKey')}</Tag>}
          {device.active_plan !== null && (
            <Tag color={device.has_active_non_free_plan ? 'warning' : 'default'}>
              {t(device.has_active_non_free_plan ? 'paidPlan' : 'freePlan')}
            </Tag>
          )}
        </span>
      </div>
      <h2 className={styles.name} title={device.name}>
        <Link
          className={styles.link}
          to={paths.device(device.id, 'records')}
          aria-label={t('open', { name: device.name })}
        >
          {device.name}
        </Link>
      </h2>
      {device.remark !== '' && (
        <p className={styles.remark} title={device.remark}>
          {device.remark}
        </p>
      )}
      <dl className={styles.facts}>
        {facts.map(([key, value]) => (
          <div key={key}>
            <dt>{t(`card.${key}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}
