import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { loadTexts } from '../../../i18n/i18n.ts'
import { PasswordField, TextButton, TextField } from '../../../ui/fields.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { useVerification } from '../../captcha/use-verification.ts'
import { useSettings } from '../../site/api/settings.ts'
import { signIn } from '../api/login.ts'
import { hasAcceptedTerms } from '../terms.ts'
import { useWayIn } from '../use-way-in.ts'
import { SecondStepForm } from './SecondStepForm.tsx'
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

/** Sign in with user name, e-mail address or phone number, and password. */
export function PasswordForm(props: { account?: string | undefined; onForgotten: () => void }) {
  const { t } = useTranslation('sign-in')
  const checks = useChecks()
  const fields = useFields(
    { account: props.account ?? '', password: '', terms: hasAcceptedTerms() ? 'yes' : '' },
    { account: checks.needed, password: checks.needed, terms: checks.terms },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields, {
    hasVerification: true,
  })
  const verification = useVerification('login')
  const way = useWayIn()
  const settings = useSettings()
  const hasPhones = settings?.sign_in.includes('phone') ?? false
  const canReset = (settings?.password_reset.length ?? 0) > 0

  const submit = ({ account, password }: typeof fields.values) =>
    run(() => way.run(() => verification.run(captcha => signIn({ account, password, ...captcha }))))

  if (way.isSecondStep) {
    const goBack = (error?: unknown) => {
      way.leaveSecondStep()
      if (error !== undefined) void run(() => Promise.reject(error))
    }
    return <SecondStepForm run={way.run} onBack={goBack} />
  }
  return (
    <form ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {message !== undefined && (
        <Notice tone="error" requestId={requestId}>
          {message}
        </Notice>
      )}
      <TextField
        label={t(hasPhones ? 'accountOrPhone' : 'account')}
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
      <TermsField
        field={fields.bind('terms')}
        extra={canReset && <TextButton onClick={props.onForgotten}>{t('forgotten')}</TextButton>}
      />
      {verification.state !== 'none' && (
        <Suspense>
          <VerifyField scene="login" state={verification.state} onTicket={verification.onTicket} />
        </Suspense>
      )}
      <SubmitButton label={t('signIn')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </form>
  )
}
