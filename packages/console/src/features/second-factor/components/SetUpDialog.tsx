import type { CallResult, enrolSecondFactor } from '@homeport/contract'
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { QrCode } from '../../../ui/QrCode.tsx'
import { useConfirm } from '../api/second-factor.ts'
import { CodeForm } from './CodeForm.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import styles from './SecondFactor.module.css'

const formId = 'two-step-set-up'

/** Shows the secret, takes the first code, then shows the recovery codes. */
export function SetUpDialog(props: {
  enrolment: CallResult<typeof enrolSecondFactor>
  onClose: () => void
}) {
  const { t } = useTranslation(['second-factor', 'common'])
  const { secret, otpauth_url } = props.enrolment
  const confirmation = useConfirm()
  const [isOpen, setOpen] = useState(true)
  const codes = confirmation.data?.recovery_codes
  if (codes !== undefined) return <RecoveryCodesDialog codes={codes} onClose={props.onClose} />
  return (
    <Modal
      open={isOpen}
      title={t('setUp.title')}
      okText={t('setUp.submit')}
      cancelText={t('common:action.cancel')}
      confirmLoading={confirmation.isPending}
      okButtonProps={{ htmlType: 'submit', form: formId }}
      onCancel={() => setOpen(false)}
      afterClose={props.onClose}
    >
      <p>{t('setUp.scan')}</p>
      <div className={styles.qr}>
        <QrCode data={otpauth_url} label={t('setUp.qr')} width={200} />
        <div>{t('setUp.type')}</div>
        <code className={styles.secret}>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
        <CopyButton text={secret} label={t('setUp.copy')} size="small" />
      </div>
      <CodeForm
        id={formId}
        label={t('code.app')}
        failed={t('setUp.failed')}
        error={confirmation.error}
        onEdit={confirmation.reset}
        onCode={code => confirmation.mutate(code)}
      />
    </Modal>
  )
}
