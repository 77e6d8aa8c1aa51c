import { CheckCircleOutlined, DisconnectOutlined, LinkOutlined } from '@ant-design/icons'
import { CallError, type RouterRow } from '@homeport/contract'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PageSkeleton } from '../../ui/PageSkeleton.tsx'
import { usePairingInfo } from './api/get-pairing-info.ts'
import { WaitingDevice } from './components/WaitingDevice.tsx'
import { isPairing } from './pairing.ts'

/** 绑定设备: `?pairing=` names a device that waits to be bound to whoever is signed in. */
export function Component() {
  const { t } = useTranslation('bind')
  const [query] = useSearchParams()
  const pairing = query.get('pairing') ?? ''
  return (
    <div className="page">
      <PageHeader title={t('title')} />
      {isPairing(pairing) ? <Pairing key={pairing} pairing={pairing} /> : <Ended how="missing" />}
    </div>
  )
}

function Pairing(props: { pairing: string }) {
  const { t } = useTranslation('bind')
  const { data, error, refetch, isFetching } = usePairingInfo(props.pairing)
  const [outcome, setOutcome] = useState<RouterRow | 'refused' | 'gone'>()
  if (outcome === 'refused' || outcome === 'gone') return <Ended how={outcome} />
  if (outcome !== undefined) return <Bound device={outcome} />
  if (error instanceof CallError && error.code === 'pairing_not_found') return <Ended how="gone" />
  if (data === undefined) {
    if (error === null) return <PageSkeleton />
    return (
      <ErrorState title={t('failed')} error={error} onRetry={refetch} isRetrying={isFetching} />
    )
  }
  if (data.bound) return <Ended how="bound" />
  return (
    <WaitingDevice
      pairing={props.pairing}
      info={data}
      onBound={setOutcome}
      onRefuse={() => setOutcome('refused')}
      onGone={() => setOutcome('gone')}
    />
  )
}

function Bound(props: { device: RouterRow }) {
  const { t } = useTranslation('bind')
  const navigate = useNavigate()
  const { id, name } = props.device
  return (
    <div role="status">
      <EmptyState
        icon={<CheckCircleOutlined />}
        title={t('done.title', { name })}
        detail={t('done.detail')}
        action={
          <Button type="primary" onClick={() => navigate(paths.device(id, 'records'))}>
            {t('done.open')}
          </Button>
        }
      />
    </div>
  )
}

const icons: Record<'missing' | 'gone' | 'bound' | 'refused', ReactNode> = {
  missing: <LinkOutlined />,
  gone: <DisconnectOutlined />,
  bound: <CheckCircleOutlined />,
  refused: <DisconnectOutlined />,
}

function Ended(props: { how: keyof typeof icons }) {
  const { t } = useTranslation('bind')
  const navigate = useNavigate()
  return (
    <EmptyState
      icon={icons[props.how]}
      title={t(`${props.how}.title`)}
      detail={t(`${props.how}.detail`)}
      action={<Button onClick={() => navigate(paths.devices)}>{t('devices')}</Button>}
    />
  )
}
