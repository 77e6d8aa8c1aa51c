import { CallError, type CaptchaScene } from '@homeport/contract'
import { useEffect, useState } from 'react'
import { askCaptcha } from './api/captcha.ts'
import type { VerifyState } from './components/VerifyField.tsx'

/** A ticket lives 5 minutes; one that would end on the way is not sent. */
const ticketUseMs = (5 * 60 - 10) * 1000

/** Whether a form has to bring a ticket, and the ticket. */
export function useVerification(scene: CaptchaScene) {
  const [state, setState] = useState<VerifyState | 'none'>('none')
  const [ticket, setTicket] = useState<string>()

  useEffect(() => {
    const need = (isNeeded: boolean) => {
      if (isNeeded) setState(before => (before === 'none' ? 'needed' : before))
    }
    // Only a head start: the form's own call says so too.
    askCaptcha(scene).then(need, error => console.error('captcha', error))
  }, [scene])

  useEffect(() => {
    if (ticket === undefined) return undefined
    const timer = setTimeout(() => {
      setTicket(undefined)
      setState('expired')
    }, ticketUseMs)
    return () => clearTimeout(timer)
  }, [ticket])

  return {
    state,
    onTicket: (next: string) => {
      setTicket(next)
      setState('done')
    },
    /** Makes a call with the ticket; one that was used is forgotten, and a refusal for want of one asks for it. */
    async run<T>(call: (fields: { captcha_ticket?: string }) => Promise<T>): Promise<T> {
      // Leaving 'asked' first lets the next refusal open the dialog again.
      setState(before => (before === 'asked' ? 'needed' : before))
      try {
        return await call(ticket === undefined ? {} : { captcha_ticket: ticket })
      } catch (error) {
        const code = error instanceof CallError ? error.code : undefined
        // A limit and a full queue refuse before it is used up, so it is kept; were it gone, the next answer would ask for
        // another. After a lost connection nobody knows, so it is not.
        if (ticket !== undefined && code !== 'rate_limited' && code !== 'busy') {
          setTicket(undefined)
          setState('needed')
        }
        if (code === 'captcha_required') setState('asked')
        throw error
      }
    },
  }
}
