import { useEffect } from 'react'

let locks = 0

function release(): void {
  locks -= 1
  if (locks === 0) document.body.style.removeProperty('overflow')
}

/** Keeps the page behind a dialog from scrolling until `releaseDelayMs` after the dialog is gone. */
export function useScrollLock(releaseDelayMs: number): void {
  useEffect(() => {
    locks += 1
    document.body.style.setProperty('overflow', 'hidden')
    return () => {
      setTimeout(release, releaseDelayMs)
    }
  }, [releaseDelayMs])
}
