import { CallError } from '@homeport/contract'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../../../ui/fields.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { StrengthMeter } from '../../sign-in/components/StrengthMeter.tsx'
import { SubmitButton } from '../../sign-in/components/SubmitButton.tsx'
import { useChecks } from '../../sign-in/components/use-checks.ts'
import { useSubmission } from '../../sign-in/components/use-submission.ts'
import { resetByLink } from '../api/recovery.ts'

/** The new password of an account whose link was opened. */
export function NewPasswordForm(props: {
  token: string
  username: string
  onDone: () => Promise<void>
  onInvalidLink: () => void
}) {
  const { t } = useTranslation(['recovery', 'sign-in'])
  const checks = useChecks()
  const fields = useFields(
    { password: '', confirmation: '' },
    { password: checks.newPassword, confirmation: checks.confirmation },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields)
  const password = fields.bind('password')

  const submit = ({ password }: typeof fields.values) =>
    run(async () => {
      try {
        await resetByLink({ token: props.token, password })
      } catch (error) {
        if (!(error instanceof CallError && error.code === 'reset_link_invalid')) throw error
        return props.onInvalidLink()
      }
      await props.onDone()
    })
  return (
    <form ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {message !== undefined && (
        <Notice tone="error" requestId={requestId}>
          {message}
        </Notice>
      )}
      {/* For the browser's list of passwords: whose this one is. */}
      <input hidden readOnly type="text" autoComplete="username" value={props.username} />
      <PasswordField
        label={t('link.password')}
        field={password}
        autoComplete="new-password"
        maxLength={128}
        autoFocus
      />
      <StrengthMeter password={password.value} username={props.username} />
      <PasswordField
        label={t('sign-in:confirmation')}
        field={fields.bind('confirmation')}
        autoComplete="new-password"
        maxLength={128}
      />
      <SubmitButton label={t('link.submit')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </form>
  )
}
