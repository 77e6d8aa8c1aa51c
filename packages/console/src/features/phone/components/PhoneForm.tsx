import { useTranslation } from 'react-i18next'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { SecondStepForm } from '../../sign-in/components/SecondStepForm.tsx'
import { SubmitButton } from '../../sign-in/components/SubmitButton.tsx'
import { TermsField } from '../../sign-in/components/TermsField.tsx'
import { useChecks } from '../../sign-in/components/use-checks.ts'
import { useSubmission } from '../../sign-in/components/use-submission.ts'
import { hasAcceptedTerms } from '../../sign-in/terms.ts'
import { useWayIn } from '../../sign-in/use-way-in.ts'
import { useSettings } from '../../site/api/settings.ts'
import { signInByPhone } from '../api/phone.ts'
import { usePhoneChecks } from '../use-phone-checks.ts'
import { CodeField } from './CodeField.tsx'
import { PhoneField } from './PhoneField.tsx'

/** Sign in with a number and the code that was sent to it. */
export function PhoneForm() {
  const { t } = useTranslation(['phone', 'sign-in'])
  const checks = { ...useChecks(), ...usePhoneChecks() }
  const fields = useFields(
    { phone: '', code: '', terms: hasAcceptedTerms() ? 'yes' : '' },
    { phone: checks.phone, code: checks.code, terms: checks.terms },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields)
  const way = useWayIn()
  const signup = useSettings()?.signup

  const submit = ({ phone, code }: typeof fields.values) =>
    run(() => way.run(() => signInByPhone(phone, code)))

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
      <PhoneField field={fields.bind('phone')} autoFocus />
      <CodeField
        label={t('code')}
        field={fields.bind('code')}
        scene="login"
        captcha="login"
        readPhone={() => fields.readValid('phone')}
      />
      <TermsField field={fields.bind('terms')} />
      <SubmitButton
        label={t(signup === 'open' ? 'signInOrUp' : 'sign-in:signIn')}
        isBusy={isBusy}
        secondsLeft={secondsLeft}
      />
    </form>
  )
}
