import { CallError } from '@homeport/contract'
import { Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import { PasswordField } from '../../../ui/fields.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { CodeField } from '../../phone/components/CodeField.tsx'
import { usePhoneChecks } from '../../phone/use-phone-checks.ts'
import { useProfile } from '../../sign-in/api/profile.ts'
import { useSettings } from '../../site/api/settings.ts'
import { confirmCode, confirmPassword } from '../api/confirm.ts'
import { IdentityConfirmation } from './IdentityConfirmation.tsx'
import { PasskeyConfirmation } from './PasskeyConfirmation.tsx'

/** Asks for the password; where there is none, for a code by text message or at a linked service. A passkey does as well. */
export function ReauthenticateDialog(props: { onConfirmed: () => void; onCancel: () => void }) {
  const { t } = useTranslation(['reauthenticate', 'common'])
  const formId = useId()
  const profile = useProfile()
  const sendsMessages = useSettings()?.sign_in.includes('phone') ?? false
  const [isBusy, setBusy] = useState(false)
  const hasCode = profile?.phone_verified === true && sendsMessages
  const way = profile?.has_password !== false ? 'password' : hasCode ? 'code' : 'none'
  return (
    <Modal
      open
      title={t('title')}
      okText={t('common:action.confirm')}
      cancelText={t('common:action.cancel')}
      okButtonProps={{
        htmlType: 'submit',
        form: formId,
        ...(way === 'none' ? { style: { display: 'none' } } : {}),
      }}
      confirmLoading={isBusy}
      onCancel={props.onCancel}
    >
      <p>{t(`detail.${way}`)}</p>
      {way !== 'none' && (
        <SecretForm id={formId} way={way} setBusy={setBusy} onConfirmed={props.onConfirmed} />
      )}
      <PasskeyConfirmation isOnly={way === 'none'} onConfirmed={props.onConfirmed} />
      {way !== 'password' && <IdentityConfirmation />}
    </Modal>
  )
}

function SecretForm(props: {
  id: string
  way: 'password' | 'code'
  setBusy: (isBusy: boolean) => void
  onConfirmed: () => void
}) {
  const { t } = useTranslation(['reauthenticate', 'common'])
  const errorText = useErrorText()
  const checks = usePhoneChecks()
  const [failure, setFailure] = useState<unknown>()
  const { way } = props
  const fields = useFields(
    { secret: '' },
    {
      secret: typed =>
        way === 'code' ? checks.code(typed) : typed === '' ? t('common:field.required') : undefined,
    },
  )
  const field = fields.bind('secret')

  const submit = async ({ secret }: typeof fields.values) => {
    props.setBusy(true)
    setFailure(undefined)
    try {
      await (way === 'code' ? confirmCode(secret) : confirmPassword(secret))
      props.onConfirmed()
    } catch (error) {
      const code = error instanceof CallError ? error.code : undefined
      const isWrong = code === 'wrong_password' || code === 'sms_code_wrong'
      if (isWrong) fields.complain({ secret: t(`wrong.${way}`) })
      else setFailure(error)
    } finally {
      props.setBusy(false)
    }
  }
  return (
    <form id={props.id} ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {failure !== undefined && <Notice tone="error">{errorText(failure)}</Notice>}
      {way === 'code' ? (
        <CodeField label={t('code')} field={field} scene="confirm" autoFocus />
      ) : (
        <PasswordField
          label={t('password')}
          field={field}
          autoFocus
          autoComplete="current-password"
          maxLength={256}
        />
      )}
    </form>
  )
}
