import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDisable, useRenew } from '../api/second-factor.ts'
import { CodeForm } from './CodeForm.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'

const formId = 'two-step-code'

/** Asks for a code before two-step codes are turned off, or the recovery codes are replaced. */
export function CodeDialog(props: { kind: 'renew' | 'disable'; onClose: () => void }) {
  const { t } = useTranslation(['second-factor', 'common'])
  const { kind } = props
  const renewal = useRenew()
  const disabling = useDisable()
  const [isOpen, setOpen] = useState(true)
  const { isPending, error, reset } = kind === 'renew' ? renewal : disabling
  const close = () => setOpen(false)
  const submit = (code: string) =>
    kind === 'renew' ? renewal.mutate(code) : disabling.mutate(code, { onSuccess: close })
  const codes = renewal.data?.recovery_codes
  if (codes !== undefined) return <RecoveryCodesDialog codes={codes} onClose={props.onClose} />
  return (
    <Modal
      open={isOpen}
      title={t(`${kind}.title`)}
      okText={t(`${kind}.submit`)}
      okButtonProps={{ danger: kind === 'disable', htmlType: 'submit', form: formId }}
      cancelText={t('common:action.cancel')}
      confirmLoading={isPending}
      onCancel={close}
      afterClose={props.onClose}
    >
      <p>{t(`${kind}.detail`)}</p>
      <CodeForm
        id={formId}
        label={t('code.any')}
        failed={t(`${kind}.failed`)}
        error={error}
        onEdit={reset}
        onCode={submit}
      />
    </Modal>
  )
}
