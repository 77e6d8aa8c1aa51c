import { useState } from 'react'
import { signOut, startJsonp } from './sign-out.ts'

const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Signs out of this browser; `isSigningOut` until the page is left. */
export function useSignOut(): { isSigningOut: boolean; start: () => void } {
  const [isSigningOut, setSigningOut] = useState(false)
  const start = () => {
    if (isSigningOut) return
    setSigningOut(true)
    void signOut({
      // The settings name no single sign-on provider in this version.
      providerLogoutUrl: undefined,
      startJsonp,
      wait,
      go: url => window.location.assign(url),
    })
  }
  return { isSigningOut, start }
}
