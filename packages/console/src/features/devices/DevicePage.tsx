import { ArrowLeftOutlined, EllipsisOutlined, PauseCircleOutlined } from '@ant-design/icons'
import type { RouterRow } from '@homeport/contract'
import { Button, Tabs, Tag } from 'antd'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useNavigate, useParams } from 'react-router'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useRouter } from './api/get-router.ts'
import styles from './components/DevicePage.module.css'
import { PausedNotice } from './components/PausedNotice.tsx'
import { SharedKeyNotice } from './components/SharedKeyNotice.tsx'
import { StatusDot } from './components/StatusDot.tsx'
import { type DeviceTab, deviceTabs, isDeviceTab, readDeviceId } from './device-tabs.ts'

type TabContent = { device: RouterRow }
const laterTabs = () => import('./components/LaterTabs.tsx')
const contents = {
  records: lazyPart<TabContent>(
    async () => (await import('../records/components/RecordsTab.tsx')).RecordsTab,
  ),
  apps: lazyPart<TabContent>(async () => (await laterTabs()).AppsTab),
  files: lazyPart<TabContent>(async () => (await laterTabs()).FilesTab),
  servers: lazyPart<TabContent>(
    async () => (await import('./components/ServersTab.tsx')).ServersTab,
  ),
  plan: lazyPart<TabContent>(async () => (await laterTabs()).PlanTab),
  facts: lazyPart<TabContent>(async () => (await import('./components/FactsTab.tsx')).FactsTab),
} satisfies Record<DeviceTab, unknown>

/** One device in tabs: `/devices/:id/:tab`. */
export function Component() {
  const { id: idText = '', tab = '' } = useParams()
  const id = readDeviceId(idText)
  if (id === undefined) return <DeviceMissing />
  if (!isDeviceTab(tab)) return <Navigate to={paths.device(id, 'records')} replace />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <DeviceView key={id} id={id} tab={tab} />
    </Suspense>
  )
}

function DeviceView(props: { id: number; tab: DeviceTab }) {
  const { t } = useTranslation('devices')
  const { tab } = props
  const { data: device, error, refetch, isFetching } = useRouter(props.id)
  // Beside the device's data and not behind it.
  useEffect(() => contents[tab].preload(), [tab])
  if (device === null) return <DeviceMissing />
  if (device === undefined) {
    if (error === null) return <PageSkeleton />
    return (
      <ErrorState
        title={t('deviceFailed')}
        error={error}
        onRetry={refetch}
        isRetrying={isFetching}
      />
    )
  }
  return (
    <div className="page">
      <DeviceHeader device={device} />
      {device.paused && <PausedNotice device={device} />}
      {device.is_key_shared && <SharedKeyNotice />}
      <DeviceTabs device={device} tab={tab} />
    </div>
  )
}

function DeviceHeader(props: { device: RouterRow }) {
  const { t } = useTranslation('devices')
  const { device } = props
  return (
    <header className={styles.header}>
      <Link to={paths.devices} className={styles.back}>
        <ArrowLeftOutlined aria-hidden /> {t('back')}
      </Link>
      <div className={styles.heading}>
        <h1 className={styles.title}>{device.name}</h1>
        <StatusDot online={device.status === 'online'} />
        {device.paused && (
          <Tag color="warning" icon={<PauseCircleOutlined />}>
            {t('paused')}
          </Tag>
        )}
        {device.status === 'offline' && device.last_seen_at !== null && (
          <span className={styles.soft}>
            {t('facts.lastSeen')} <RelativeTime instant={device.last_seen_at} />
          </span>
        )}
      </div>
    </header>
  )
}

function DeviceTabs(props: { device: RouterRow; tab: DeviceTab }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const { device, tab } = props
  const Content = contents[tab]
  return (
    <Tabs
      aria-label={t('tabs.label')}
      activeKey={tab}
      onChange={key => navigate(paths.device(device.id, key))}
      // On a phone some tabs stand in a menu; its button has no other name.
      more={{ icon: <EllipsisOutlined aria-label={t('tabs.more')} /> }}
      destroyOnHidden
      items={deviceTabs.map(key => ({
        key,
        label: <span onPointerEnter={contents[key].preload}>{t(`tabs.${key}`)}</span>,
        children: key === tab && (
          <Suspense fallback={<PageSkeleton />}>
            <Content device={device} />
          </Suspense>
        ),
      }))}
    />
  )
}

function DeviceMissing() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  return (
    <EmptyState
      title={t('notFound.title')}
      detail={t('notFound.detail')}
      action={
        <Button type="primary" onClick={() => navigate(paths.devices)}>
          {t('back')}
        </Button>
      }
    />
  )
}
