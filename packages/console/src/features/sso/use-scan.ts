import { pollSsoEvents, type SsoBegun, type SsoEventData } from '@homeport/contract'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { client } from '../../app/api-client.ts'
import { askLoginStatus } from '../sign-in/api/login-status.ts'
import { startSignOn } from './api/start.ts'
import { followSignOn } from './follow-sign-on.ts'

/** How a sign-on on another device stands. */
export type ScanState =
  | { step: 'starting' }
  | { step: 'failed'; error: unknown }
  | { step: 'waiting' | 'expired' | 'denied'; begun: SsoBegun }
  | { step: 'scanned'; begun: SsoBegun; number: string }
  | { step: 'confirmed'; begun: SsoBegun; code: string }

/** A QR code is shown for this many ms at least and at most, whatever this machine's clock says. */
const leastMs = 60_000
const mostMs = 10 * 60_000

/**
 * Begins a sign-on and follows it; `restart` begins another one. `onSignedIn` runs where the browser turns out to be signed
 * in another way while no poll gets through.
 */
export function useScan(
  input: Parameters<typeof startSignOn>[0],
  onSignedIn: () => void,
): {
  state: ScanState
  restart: () => void
} {
  const [state, setState] = useState<ScanState>({ step: 'starting' })
  const [round, setRound] = useState(0)
  // The query of the page as text: another object with the same content is no reason to begin anew.
  const key = JSON.stringify(input)
  const enter = useEffectEvent(onSignedIn)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round begins anew with the same input
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const set = (next: ScanState) => {
      if (!signal.aborted) setState(next)
    }
    let expiry: ReturnType<typeof setTimeout> | undefined

    async function run(): Promise<void> {
      set({ step: 'starting' })
      let begun: SsoBegun
      try {
        begun = await startSignOn(JSON.parse(key))
      } catch (error) {
        set({ step: 'failed', error })
        return
      }
      if (signal.aborted) return
      set({ step: 'waiting', begun })
      const leftMs = Date.parse(begun.expires_at) - Date.now()
      expiry = setTimeout(
        () => {
          set({ step: 'expired', begun })
          controller.abort()
        },
        Math.min(Math.max(leftMs, leastMs), mostMs),
      )
      await followSignOn({
        id: begun.id,
        poll: (query, stop) => client.call(pollSsoEvents, { query }, { signal: stop }),
        now: Date.now,
        wait,
        onEvent: event => set(stateOf(begun, event)),
        isSignedIn: async () => (await askLoginStatus()).logged_in,
        onSignedIn: enter,
        signal,
      })
    }
    void run()
    return () => {
      controller.abort()
      clearTimeout(expiry)
    }
  }, [key, round])

  const restart = useCallback(() => setRound(before => before + 1), [])
  return { state, restart }
}

function stateOf(begun: SsoBegun, event: SsoEventData): ScanState {
  switch (event.state) {
    case 'scanned':
      return { step: 'scanned', begun, number: event.number }
    case 'confirmed':
      return { step: 'confirmed', begun, code: event.code }
    case 'denied':
      return { step: 'denied', begun }
  }
}

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
