import { describeBrowser, type UserSession } from '@homeport/contract'
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import type { DialogFrame } from '../../../ui/use-dialog.ts'
import { useDeleteSession } from '../api/delete-session.ts'
import { useEndOtherSessions } from '../api/end-other-sessions.ts'

/** Asks before one session is ended. */
export function RevokeDialog(props: { session: UserSession; frame: DialogFrame }) {
  const { t } = useTranslation(['account', 'common'])
  const { session, frame } = props
  const { mutate, isPending, error } = useDeleteSession()
  const name = describeBrowser(session.user_agent) || t('sessions.unknown')
  return (
    <Modal
      {...frame}
      title={t('sessions.revokeTitle', { name })}
      okText={t('sessions.revoke')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={() => mutate(session.id, { onSuccess: frame.onCancel })}
    >
      <p>{t('sessions.revokeDetail')}</p>
      <FailureNotice title={t('sessions.revokeFailed')} error={error} />
    </Modal>
  )
}

/** Asks before all sessions but this one are ended. */
export function EndOthersDialog(props: { count: number; onClose: () => void }) {
  const { t } = useTranslation(['account', 'common'])
  const [isOpen, setOpen] = useState(true)
  const { mutate, isPending, error } = useEndOtherSessions()
  const close = () => setOpen(false)
  return (
    <Modal
      open={isOpen}
      title={t('sessions.endOthersTitle')}
      okText={t('sessions.endOthersSubmit')}
      okButtonProps={{ danger: true }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onOk={() => mutate(undefined, { onSuccess: close })}
      onCancel={close}
      afterClose={props.onClose}
    >
      <p>{t('sessions.endOthersDetail', { count: props.count })}</p>
      <FailureNotice title={t('sessions.endOthersFailed')} error={error} />
    </Modal>
  )
}
