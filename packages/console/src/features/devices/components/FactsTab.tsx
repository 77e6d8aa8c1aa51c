import type { RouterRow } from '@homeport/contract'
import { Button, Card } from 'antd'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { paths } from '../../../paths.ts'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { formatExactInstant } from '../../../ui/instants.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { useDialog } from '../../../ui/use-dialog.ts'
import { usePatchRouter } from '../api/patch-router.ts'
import { DeviceNameForm } from './DeviceNameForm.tsx'
import styles from './DevicePage.module.css'
import { LastSeen } from './LastSeen.tsx'

const DeleteDeviceDialog = lazyPart(
  async () => (await import('./DeleteDeviceDialog.tsx')).DeleteDeviceDialog,
)

/** 详情: name and remark, facts, pausing, deleting. */
export function FactsTab(props: { device: RouterRow }) {
  const { t } = useTranslation('devices')
  const { device } = props
  return (
    <>
      <Card className={styles.panel ?? ''}>
        <h2 className={styles.panelTitle}>{t('facts.basics')}</h2>
        <DeviceNameForm device={device} />
      </Card>
      <Card className={styles.panel ?? ''}>
        <h2 className={styles.panelTitle}>{t('facts.about')}</h2>
        <DeviceFacts device={device} />
      </Card>
      <Card className={styles.panel ?? ''}>
        <PausePanel device={device} />
      </Card>
      <Card className={styles.panel ?? ''}>
        <DeletePanel device={device} />
      </Card>
    </>
  )
}

function DeviceFacts(props: { device: RouterRow }) {
  const { t, i18n } = useTranslation('devices')
  const { device } = props
  const facts = [
    ['model', device.model],
    ['agent', [device.agent, device.agent_version].filter(Boolean).join(' ')],
    ['publicIp', device.public_ip],
    ['lanIp', device.lan_ip],
    ['lastSeen', <LastSeen key="seen" device={device} />],
    ['createdAt', formatExactInstant(device.created_at, i18n.language)],
    ['uid', <code key="uid">{device.uid}</code>],
  ] as const
  return (
    <dl className={styles.facts}>
      {facts.map(([key, value]) => (
        <div key={key} style={{ display: 'contents' }}>
          <dt>{t(`facts.${key}`)}</dt>
          <dd>{value === '' ? t('facts.none') : value}</dd>
        </div>
      ))}
    </dl>
  )
}

function PausePanel(props: { device: RouterRow }) {
  const { t } = useTranslation('devices')
  const { device } = props
  const { mutate, isPending, error } = usePatchRouter(device.id)
  return (
    <>
      <div className={styles.row}>
        <div>
          <h2 className={styles.panelTitle}>{t(device.paused ? 'facts.resume' : 'facts.pause')}</h2>
          <p className={styles.panelDetail}>
            {t(device.paused ? 'facts.resumeDetail' : 'facts.pauseDetail')}
          </p>
        </div>
        <Button
          type={device.paused ? 'primary' : 'default'}
          loading={isPending}
          onClick={() => mutate({ paused: !device.paused })}
        >
          {t(device.paused ? 'facts.resumeAction' : 'facts.pauseAction')}
        </Button>
      </div>
      <FailureNotice title={t('facts.failed')} error={error} />
    </>
  )
}

function DeletePanel(props: { device: RouterRow }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const deletion = useDialog<RouterRow>()
  return (
    <div className={styles.row}>
      <div>
        <h2 className={styles.panelTitle}>{t('remove.section')}</h2>
        <p className={styles.panelDetail}>{t('remove.detail')}</p>
      </div>
      <Button
        danger
        onPointerEnter={DeleteDeviceDialog.preload}
        onFocus={DeleteDeviceDialog.preload}
        onClick={() => deletion.show(props.device)}
      >
        {t('remove.action')}
      </Button>
      <Suspense>
        {deletion.subject !== undefined && (
          <DeleteDeviceDialog
            device={deletion.subject}
            frame={deletion.frame}
            onDeleted={() => navigate(paths.devices, { replace: true })}
          />
        )}
      </Suspense>
    </div>
  )
}
