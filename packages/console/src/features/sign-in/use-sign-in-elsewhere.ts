import { useEffect } from 'react'
import { askLoginStatus } from './api/login-status.ts'

/** Calls `onSignedIn` when the page gets the focus back and another tab has signed in meanwhile. */
export function useSignInElsewhere(onSignedIn: () => void): void {
  useEffect(() => {
    let isAsking = false
    const ask = async () => {
      if (isAsking) return
      isAsking = true
      try {
        if ((await askLoginStatus()).logged_in) onSignedIn()
      } catch (error) {
        // The form still works; the next focus asks again.
        console.error('login status', error)
      } finally {
        isAsking = false
      }
    }
    window.addEventListener('focus', ask)
    return () => window.removeEventListener('focus', ask)
  }, [onSignedIn])
}
