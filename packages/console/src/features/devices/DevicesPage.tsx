import { HomeOutlined, PlusOutlined, SearchOutlined } from '@ant-design/icons'
import type { RouterRow } from '@homeport/contract'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { usePreload } from '../../ui/use-preload.ts'
import { useRouters } from './api/list-routers.ts'
import { AddDeviceDrawer, AddDeviceWizard } from './components/AddDeviceDrawer.tsx'
import cardStyles from './components/DeviceCard.module.css'
import { DeviceCard } from './components/DeviceCard.tsx'
import { DeviceToolbar } from './components/DeviceToolbar.tsx'
import { arrangeDevices, type DeviceView, readDeviceView, writeDeviceView } from './device-list.ts'

const likelyNext = [AddDeviceWizard]

/** 我的设备: all devices as cards; `?q=&sort=` keeps what is shown, `?add=1` opens the wizard. */
export function Component() {
  const { t } = useTranslation('devices')
  const [query, setQuery] = useSearchParams()
  const { data } = useRouters()
  usePreload(likelyNext)
  const devices = data?.results
  const setAdding = (isAdding: boolean) =>
    setQuery(
      current => {
        const next = new URLSearchParams(current)
        if (isAdding) next.set('add', '1')
        else next.delete('add')
        return next
      },
      { replace: !isAdding },
    )
  const online = devices?.filter(device => device.status === 'online').length ?? 0
  return (
    <div className="page">
      <PageHeader
        title={t('title')}
        {...(devices === undefined || devices.length === 0
          ? {}
          : { detail: t('count', { total: devices.length, online }) })}
        actions={
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        }
      />
      <Devices onAdd={() => setAdding(true)} />
      <AddDeviceDrawer isOpen={query.has('add')} onClose={() => setAdding(false)} />
    </div>
  )
}

function Devices(props: { onAdd: () => void }) {
  const { t } = useTranslation('devices')
  const { data, error, refetch, isFetching } = useRouters()
  if (data === undefined) {
    if (error === null) return <PageSkeleton />
    return (
      <ErrorState title={t('failed')} error={error} onRetry={refetch} isRetrying={isFetching} />
    )
  }
  if (data.results.length === 0) {
    return (
      <EmptyState
        icon={<HomeOutlined />}
        title={t('empty.title')}
        detail={t('empty.detail')}
        action={
          <Button type="primary" icon={<PlusOutlined />} onClick={props.onAdd}>
            {t('add')}
          </Button>
        }
      />
    )
  }
  return <DeviceCards devices={data.results} />
}

function DeviceCards(props: { devices: readonly RouterRow[] }) {
  const { t, i18n } = useTranslation('devices')
  const [query, setQuery] = useSearchParams()
  const view = readDeviceView(query)
  const setView = (next: DeviceView) =>
    setQuery(current => writeDeviceView(current, next), { replace: true })
  const shown = arrangeDevices(props.devices, view, i18n.language)
  return (
    <>
      <DeviceToolbar view={view} onChange={setView} />
      {shown.length === 0 ? (
        <EmptyState
          icon={<SearchOutlined />}
          title={t('noMatch.title', { search: view.search })}
          action={
            <Button onClick={() => setView({ ...view, search: '' })}>{t('noMatch.clear')}</Button>
          }
        />
      ) : (
        <ul className={cardStyles.grid}>
          {shown.map(device => (
            <li key={device.id}>
              <DeviceCard device={device} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
