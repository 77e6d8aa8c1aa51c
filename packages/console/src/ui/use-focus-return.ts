import { useLayoutEffect } from 'react'

/**
 * Gives the focus back to what opened a drawer when it closes, or to the page where that is gone. antd does so at the end
 * of the closing motion only, which never comes where the drawer was closed while it still slid in.
 */
export function useFocusReturn(isOpen: boolean): void {
  useLayoutEffect(() => {
    if (!isOpen) return
    const opener = document.activeElement
    return () => {
      // Not at once: the drawer holds the focus until its own effects have run.
      setTimeout(() => {
        const isThere = opener instanceof HTMLElement && opener.isConnected
        const target = isThere && opener !== document.body ? opener : document.querySelector('main')
        target?.focus({ preventScroll: true })
      })
    }
  }, [isOpen])
}
