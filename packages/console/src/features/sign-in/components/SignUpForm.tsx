import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/fields.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { createAccount } from '../api/sign-up.ts'
import { hasAcceptedTerms, rememberAcceptedTerms } from '../terms.ts'
import { useEnter } from '../use-enter.ts'
import { NewAccountFields } from './NewAccountFields.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { TermsField } from './TermsField.tsx'
import { useChecks } from './use-checks.ts'
import { useSubmission } from './use-submission.ts'

/** Make an account. `invite` is the code of the link that led here; without one it is asked for where needed. */
export function SignUpForm(props: { invite: string; needsInvite: boolean }) {
  const { t } = useTranslation('sign-in')
  const checks = useChecks()
  const fields = useFields(
    {
      invite: props.invite,
      username: '',
      password: '',
      confirmation: '',
      terms: hasAcceptedTerms() ? 'yes' : '',
    },
    {
      invite: props.needsInvite ? checks.needed : checks.optional,
      username: checks.username,
      password: checks.newPassword,
      confirmation: checks.confirmation,
      terms: checks.terms,
    },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields)
  const enter = useEnter()

  const submit = ({ username, password, invite }: typeof fields.values) =>
    run(async () => {
      const code = invite.trim()
      await createAccount({
        username,
        password,
        accepted_terms_of_service: true,
        ...(code === '' ? {} : { invite: code }),
      })
      rememberAcceptedTerms()
      await enter()
    })
  return (
    <form ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {message !== undefined && (
        <Notice tone="error" requestId={requestId}>
          {message}
        </Notice>
      )}
      {(props.needsInvite || props.invite !== '') && (
        <TextField
          label={t('invite')}
          field={fields.bind('invite')}
          autoComplete="off"
          maxLength={100}
        />
      )}
      <NewAccountFields bind={fields.bind} />
      <TermsField field={fields.bind('terms')} />
      <SubmitButton label={t('signUp')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </form>
  )
}
