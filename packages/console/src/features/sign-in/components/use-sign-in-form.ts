import { CallError } from '@homeport/contract'
import type { FormInstance } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import { useFieldErrors } from '../../../ui/field-errors.ts'
import { useCountdown } from '../../../ui/use-countdown.ts'
import { sortSignInProblem } from '../sign-in-problem.ts'

/**
 * Runs the call of a sign-in form: puts problems under the field they belong to and the focus there, others above the
 * form; counts down where the server asked for patience.
 */
export function useSignInForm<Values extends object>(
  form: FormInstance<Values>,
  names: readonly (keyof Values & string)[],
) {
  const { t } = useTranslation('sign-in')
  const errorText = useErrorText()
  const readFields = useFieldErrors()
  const { secondsLeft, start } = useCountdown()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  const place = (error: unknown) => {
    const problem = sortSignInProblem(error)
    if (problem.at === 'form') {
      if (problem.waitSeconds > 0) start(problem.waitSeconds)
      return setFailure(error)
    }
    const errors =
      problem.at === 'fields'
        ? readFields(error, names)
        : [{ name: problem.at, errors: [t(`problem.${problem.text}`)] }]
    const [first] = errors
    if (first === undefined) return setFailure(error)
    form.setFields(errors as Parameters<typeof form.setFields>[0])
    form.focusField(first.name)
  }

  const run = async (call: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(null)
    try {
      await call()
    } catch (error) {
      place(error)
    } finally {
      setBusy(false)
    }
  }
  const message = failure === null ? undefined : errorText(failure)
  const requestId = failure instanceof CallError ? failure.requestId : undefined
  return { run, isBusy, message, requestId, secondsLeft }
}
