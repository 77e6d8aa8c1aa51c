import { CallError } from '@homeport/contract'
import { useTranslation } from 'react-i18next'
import { TextButton, TextField } from '../../../ui/fields.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useFields } from '../../../ui/use-fields.ts'
import { sendSecondStep } from '../api/login.ts'
import { SubmitButton } from './SubmitButton.tsx'
import { useChecks } from './use-checks.ts'
import { useSubmission } from './use-submission.ts'

/**
 * What takes the place of a way in once its first step was right and a code is asked for. `onBack` is told the error
 * where the first step is worth nothing any more.
 */
export function SecondStepForm(props: {
  run: (call: () => Promise<{ id: number }>) => Promise<void>
  onBack: (error?: unknown) => void
  /** Where the way in has a second step of its own. */
  send?: (code: string) => Promise<{ id: number }>
}) {
  const { t } = useTranslation('sign-in')
  const checks = useChecks()
  const fields = useFields({ code: '' }, { code: checks.needed })
  const { run, isBusy, message, requestId, secondsLeft } = useSubmission(fields)

  const submit = ({ code }: typeof fields.values) =>
    run(async () => {
      try {
        await props.run(() => (props.send ?? sendSecondStep)(code))
      } catch (error) {
        if (!(error instanceof CallError && error.code === 'sign_in_expired')) throw error
        props.onBack(error)
      }
    })
  return (
    <form ref={fields.form} noValidate onSubmit={fields.onSubmit(submit)}>
      {message !== undefined && (
        <Notice tone="error" requestId={requestId}>
          {message}
        </Notice>
      )}
      <Notice>{t('secondStep.detail')}</Notice>
      <TextField
        label={t('secondStep.code')}
        field={fields.bind('code')}
        autoFocus
        autoComplete="one-time-code"
        maxLength={32}
      />
      <p>
        <TextButton onClick={() => props.onBack()}>{t('secondStep.back')}</TextButton>
      </p>
      <SubmitButton label={t('secondStep.submit')} isBusy={isBusy} secondsLeft={secondsLeft} />
    </form>
  )
}
