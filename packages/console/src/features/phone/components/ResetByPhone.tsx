import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../../ui/fields.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { StrengthMeter } from '../../sign-in/components/StrengthMeter.tsx'
import { SubmitButton } from '../../sign-in/components/SubmitButton.tsx'
import { useChecks } from '../../sign-in/components/use-checks.ts'
import { useSubmission } from '../../sign-in/components/use-submission.ts'
import { resetByPhone } from '../api/phone.ts'
import { usePhoneChecks } from '../use-phone-checks.ts'
import { CodeField } from './CodeField.tsx'
import { PhoneField } from './PhoneField.tsx'

/** A new password by the number of the account; `onDone` is told the username to sign in with. */
export function ResetByPhone(props: { onDone: (username: string) => void }) {
  const { t } = useTranslation(['phone', 'sign-in'])
  const checks = { ...useChecks(), ...usePhoneChecks() }
  const fields = useFields(
    { phone: '', code: '', password: '', confirmation: '' },
    {
      phone: checks.phone,
      code: checks.code,
      password: checks.newPassword,
      confirmation: checks.confirmation,
    },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields)
  const password = fields.bind('password')

  const submit = ({ phone, code, password }: typeof fields.values) =>
    run(async () => {
      const { username } = await resetByPhone({ phone, code, password })
      props.onDone(username)
    })
  return (
    <form ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {message !== undefined && (
        <Notice tone="error" requestId={requestId}>
          {message}
        </Notice>
      )}
      <PhoneField field={fields.bind('phone')} label={t('boundPhone')} autoFocus />
      <CodeField
        label={t('code')}
        field={fields.bind('code')}
        scene="reset"
        captcha="reset"
        readPhone={() => fields.readValid('phone')}
      />
      <PasswordField
        label={t('reset.password')}
        field={password}
        autoComplete="new-password"
        maxLength={128}
      />
      <StrengthMeter password={password.value} username={fields.values.phone} />
      <PasswordField
        label={t('sign-in:confirmation')}
        field={fields.bind('confirmation')}
        autoComplete="new-password"
        maxLength={128}
      />
      <SubmitButton label={t('reset.submit')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </form>
  )
}
