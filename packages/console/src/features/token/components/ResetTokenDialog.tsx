import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../devices/components/FailureNotice.tsx'
import { useResetToken } from '../api/reset-token.ts'

/** Says what stops working with the old token and replaces it. */
export function ResetTokenDialog(props: {
  isOpen: boolean
  onCancel: () => void
  onReset: () => void
}) {
  const { t } = useTranslation(['token', 'common'])
  const { mutate, isPending, error, reset } = useResetToken()
  return (
    <Modal
      open={props.isOpen}
      title={t('resetTitle')}
      okText={t('resetConfirm')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={() => mutate(undefined, { onSuccess: props.onReset })}
      onCancel={props.onCancel}
      afterClose={reset}
    >
      <p>{t('resetWhat')}</p>
      <ul>
        <li>{t('resetOld')}</li>
        <li>{t('resetSigned')}</li>
        <li>{t('resetDevices')}</li>
      </ul>
      <p>
        <strong>{t('irreversible')}</strong>
      </p>
      <FailureNotice title={t('resetFailed')} error={error} />
    </Modal>
  )
}
