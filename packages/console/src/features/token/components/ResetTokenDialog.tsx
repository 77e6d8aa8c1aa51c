import { useQuery } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { FailureNotice } from '../../../ui/FailureNotice.tsx'
import { ownAccountQuery } from '../../leaving/api/own-account.ts'
import { useResetToken } from '../api/reset-token.ts'

/** Says what stops working with the old token and replaces it. */
export function ResetTokenDialog(props: {
  isOpen: boolean
  onCancel: () => void
  onReset: () => void
}) {
  const { t } = useTranslation(['token', 'common'])
  const { mutate, isPending, error, reset } = useResetToken()
  const { data: account } = useQuery({ ...ownAccountQuery, enabled: props.isOpen })
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
        <li>
          {t('resetSigned')}
          {account !== undefined && t('resetSignedCount', { count: account.open_pairing_commands })}
        </li>
        <li>
          {t('resetDevices')}
          {account !== undefined && t('resetDevicesCount', { count: account.devices })}
        </li>
      </ul>
      <p>
        <strong>{t('irreversible')}</strong>
      </p>
      <FailureNotice title={t('resetFailed')} error={error} />
    </Modal>
  )
}
