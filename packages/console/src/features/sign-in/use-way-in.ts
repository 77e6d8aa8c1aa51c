import { CallError } from '@homeport/contract'
import { useState } from 'react'
import { acceptTerms } from './api/accept-terms.ts'
import { rememberAcceptedTerms } from './terms.ts'
import { useEnter } from './use-enter.ts'

/**
 * What every way in has in common: makes its call and enters; where the account asks for a code, the second step stands
 * in the place of the form until it is done.
 */
export function useWayIn() {
  const [isSecondStep, setSecondStep] = useState(false)
  const enter = useEnter()

  async function run(call: () => Promise<{ id: number }>): Promise<void> {
    let id: number
    try {
      id = (await call()).id
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'second_factor_required')) throw error
      return setSecondStep(true)
    }
    rememberAcceptedTerms()
    // Where this is lost the account simply stays without the note until the next sign-in.
    await acceptTerms(id).catch(error => console.error('terms', error))
    await enter()
  }
  return {
    run,
    /** The first step was right: show `SecondStepForm`. */
    isSecondStep,
    /** Back to the form. */
    leaveSecondStep: () => setSecondStep(false),
  }
}
