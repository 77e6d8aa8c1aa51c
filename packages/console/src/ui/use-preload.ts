import { useEffect } from 'react'

// Long enough for the page's own data to go first.
const restMs = 800

/** Fetches the parts that are likely opened next, once the page had its own. `parts` must stay the same list. */
export function usePreload(parts: readonly { preload: () => void }[]): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const part of parts) part.preload()
    }, restMs)
    return () => clearTimeout(timer)
  }, [parts])
}
