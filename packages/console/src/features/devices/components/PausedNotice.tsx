import type { RouterRow } from '@homeport/contract'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { usePatchRouter } from '../api/patch-router.ts'

/** Says that nothing of this device can be opened, with the way back. */
export function PausedNotice(props: { device: RouterRow }) {
  const { t } = useTranslation('devices')
  const { mutate, isPending, error } = usePatchRouter(props.device.id)
  return (
    <>
      <Alert
        type="warning"
        showIcon
        title={t('pausedNotice.title')}
        description={t('pausedNotice.detail')}
        action={
          <Button size="small" loading={isPending} onClick={() => mutate({ paused: false })}>
            {t('pausedNotice.resume')}
          </Button>
        }
      />
      <FailureNotice title={t('facts.failed')} error={error} />
    </>
  )
}
