import { useState } from 'react'
import { useSettings } from '../site/api/settings.ts'
import { signOut, startJsonp } from './sign-out.ts'

const wait = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

/** Signs out of this browser; `isSigningOut` until the page is left. */
export function useSignOut(): { isSigningOut: boolean; start: () => void } {
  const [isSigningOut, setSigningOut] = useState(false)
  const providerLogoutUrl = useSettings()?.sso.logout_url ?? undefined
  const start = () => {
    if (isSigningOut) return
    setSigningOut(true)
    void signOut({
      providerLogoutUrl,
      startJsonp,
      wait,
      go: url => window.location.assign(url),
    })
  }
  return { isSigningOut, start }
}
