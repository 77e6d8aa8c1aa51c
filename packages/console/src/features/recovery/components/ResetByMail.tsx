import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/fields.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { useVerification } from '../../captcha/use-verification.ts'
import { SubmitButton } from '../../sign-in/components/SubmitButton.tsx'
import { useSubmission } from '../../sign-in/components/use-submission.ts'
import { askForLink } from '../api/recovery.ts'

const VerifyField = lazyPart(
  async () => (await import('../../captcha/components/VerifyField.tsx')).VerifyField,
)

/** Asks for a link to the account's e-mail address. What it says afterwards is the same for every address. */
export function ResetByMail() {
  const { t } = useTranslation('recovery')
  const [email, setEmail] = useState('')
  const [isSent, setSent] = useState(false)
  return (
    <>
      <div role="status">{isSent && <Notice>{t('mail.sent', { email })}</Notice>}</div>
      {isSent ? (
        <Button size="large" block onClick={() => setSent(false)}>
          {t('mail.again')}
        </Button>
      ) : (
        <MailForm
          email={email}
          onSent={address => {
            setEmail(address)
            setSent(true)
          }}
        />
      )}
    </>
  )
}

function MailForm(props: { email: string; onSent: (email: string) => void }) {
  const { t } = useTranslation('recovery')
  const verification = useVerification('reset')
  const fields = useFields(
    { email: props.email },
    {
      email: typed =>
        typed.trim() === ''
          ? t('mail.needed')
          : /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed.trim())
            ? undefined
            : t('mail.form'),
    },
  )
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields, {
    hasVerification: true,
  })

  const submit = (typed: typeof fields.values) =>
    run(async () => {
      const email = typed.email.trim()
      await verification.run(captcha => askForLink({ email, ...captcha }))
      props.onSent(email)
    })
  return (
    <form ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {message !== undefined && (
        <Notice tone="error" requestId={requestId}>
          {message}
        </Notice>
      )}
      <TextField
        label={t('mail.label')}
        field={fields.bind('email')}
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        autoFocus
      />
      {verification.state !== 'none' && (
        <Suspense>
          <VerifyField scene="reset" state={verification.state} onTicket={verification.onTicket} />
        </Suspense>
      )}
      <SubmitButton label={t('mail.submit')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </form>
  )
}
