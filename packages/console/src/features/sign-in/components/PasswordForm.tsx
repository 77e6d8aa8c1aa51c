import { CallError } from '@homeport/contract'
import { Suspense, useState } from 'react'
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
import { SecondStepFields } from './SecondStepFields.tsx'
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
  const [isSecondStep, setSecondStep] = useState(false)
  const fields = useFields(
    { account: '', password: '', code: '', terms: hasAcceptedTerms() ? 'yes' : '' },
    {
      account: checks.needed,
      password: checks.needed,
      code: isSecondStep ? checks.needed : checks.optional,
      terms: checks.terms,
    },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields)
  const verification = useVerification('login')
  const enter = useEnter()

  const submit = ({ account, password, code }: typeof fields.values) =>
    run(async () => {
      const second = isSecondStep ? { second_factor: code } : {}
      const id = await untilSecondStep(
        verification.run(captcha => signIn({ account, password, ...second, ...captcha })),
      )
      if (id === undefined) return setSecondStep(true)
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
      {isSecondStep ? (
        <SecondStepFields
          field={fields.bind('code')}
          onBack={() => {
            fields.bind('code').onChange('')
            setSecondStep(false)
          }}
        />
      ) : (
        <>
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
        </>
      )}
      {verification.state !== 'none' && (
        <Suspense>
          <VerifyField scene="login" state={verification.state} onTicket={verification.onTicket} />
        </Suspense>
      )}
      <SubmitButton
        label={t(isSecondStep ? 'secondStep.submit' : 'signIn')}
        isBusy={isBusy}
        secondsLeft={secondsLeft}
      />
    </form>
  )
}

/** The account that is signed in; undefined where the password was right and a code has to come along. */
async function untilSecondStep(answer: Promise<{ id: number }>): Promise<number | undefined> {
  try {
    return (await answer).id
  } catch (error) {
    if (error instanceof CallError && error.code === 'second_factor_required') return undefined
    throw error
  }
}
