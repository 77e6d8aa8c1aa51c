import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../../i18n/i18n.ts'
import { PasswordField, TextField } from '../../../ui/fields.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { useVerification } from '../../captcha/use-verification.ts'
import { acceptTerms } from '../api/accept-terms.ts'
import { signIn } from '../api/login.ts'
import { hasAcceptedTerms, rememberAcceptedTerms } from '../terms.ts'
import { useEnter } from '../use-enter.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { TermsField } from './TermsField.tsx'
import { useChecks } from './use-checks.ts'
import { useSubmission } from './use-submission.ts'

const VerifyField = lazyPart(async () => {
  const [part] = await Promise.all([
    import('../../captcha/components/VerifyField.tsx'),
    loadTexts('captcha'),
  ])
  return part.VerifyField
})

/** Sign in with user name or e-mail address and password. */
export function PasswordForm() {
  const { t } = useTranslation('sign-in')
  const checks = useChecks()
  const fields = useFields(
    { account: '', password: '', terms: hasAcceptedTerms() ? 'yes' : '' },
    { account: checks.needed, password: checks.needed, terms: checks.terms },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields)
  const verification = useVerification('login')
  const enter = useEnter()

  const submit = ({ account, password }: typeof fields.values) =>
    run(async () => {
      const { id } = await verification.run(captcha => signIn({ account, password, ...captcha }))
      rememberAcceptedTerms()
      // Where this is lost the account simply stays without the note until the next sign-in.
      await acceptTerms(id).catch(error => console.error('terms', error))
      await enter()
    })
  return (
    <form ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {message !== undefined && (
        <Notice tone="error" requestId={requestId}>
          {message}
        </Notice>
      )}
      <TextField
        label={t('account')}
        field={fields.bind('account')}
        autoFocus
        autoComplete="username"
        maxLength={254}
      />
      <PasswordField
        label={t('password')}
        field={fields.bind('password')}
        autoComplete="current-password"
        maxLength={256}
      />
      <TermsField field={fields.bind('terms')} />
      {verification.state !== 'none' && (
        <Suspense>
          <VerifyField scene="login" state={verification.state} onTicket={verification.onTicket} />
        </Suspense>
      )}
      <SubmitButton label={t('signIn')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </form>
  )
}
