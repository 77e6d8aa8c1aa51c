import { CallError } from '@homeport/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useErrorText } from '../../../ui/describe-error.ts'
import { useFieldErrors } from '../../../ui/field-errors.ts'
import { useCountdown } from '../../../ui/use-countdown.ts'
import { sortSignInProblem } from '../sign-in-problem.ts'

interface Complaining<Name extends string> {
  names: readonly Name[]
  complain: (complaints: Partial<Record<Name, string>>) => void
}

/**
 * Runs the call of a sign-in form: puts problems under the field they belong to, others above the form; counts down
 * where the server asked for patience. Where the form has the button of a captcha, that button tells of the captcha that is missing.
 */
export function useSubmission<Name extends string>(
  { names, complain }: Complaining<Name>,
  { hasVerification = false } = {},
) {
  const { t } = useTranslation('sign-in')
  const errorText = useErrorText()
  const readFields = useFieldErrors()
  const { secondsLeft, start } = useCountdown()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)

  const findComplaints = (error: unknown): [Name, string][] => {
    const problem = sortSignInProblem(error)
    if (problem.at === 'form') {
      if (problem.waitSeconds > 0) start(problem.waitSeconds)
      return []
    }
    if (problem.at === 'fields') {
      return readFields(error, names).map(({ name, errors }) => [name, errors.join(' ')])
    }
    const name = names.find(each => each === problem.at)
    return name === undefined ? [] : [[name, t(`problem.${problem.text}`)]]
  }

  const run = async (call: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(null)
    try {
      await call()
    } catch (error) {
      if (hasVerification && error instanceof CallError && error.code === 'captcha_required') return
      const complaints = findComplaints(error)
      if (complaints.length === 0) setFailure(error)
      else complain(Object.fromEntries(complaints) as Partial<Record<Name, string>>)
    } finally {
      setBusy(false)
    }
  }
  const message = failure === null ? undefined : errorText(failure)
  const requestId = failure instanceof CallError ? failure.requestId : undefined
  return { run, isBusy, message, requestId, secondsLeft }
}
