import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import type { DialogFrame } from '../../../ui/use-dialog.ts'
import { useChangeEmail } from '../api/email.ts'

/** Asks before the address is removed. */
export function RemoveEmailDialog(props: { email: string; frame: DialogFrame }) {
  const { t } = useTranslation(['email', 'common'])
  const { email, frame } = props
  const { mutate, isPending, error } = useChangeEmail()
  return (
    <Modal
      {...frame}
      title={t('removeTitle')}
      okText={t('remove')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={() => mutate('', { onSuccess: frame.onCancel })}
    >
      <p>{t('removeDetail', { email })}</p>
      <FailureNotice title={t('removeFailed')} error={error} />
    </Modal>
  )
}
