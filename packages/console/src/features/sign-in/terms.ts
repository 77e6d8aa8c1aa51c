const storageKey = 'homeport.accepted_terms'

/** Whether the terms were accepted on this browser before: the box is then ticked already. */
export function hasAcceptedTerms(): boolean {
  try {
    return globalThis.localStorage?.getItem(storageKey) === 'yes'
  } catch {
    return false // storage is blocked: the box is ticked by hand each time
  }
}

/** Remembers the acceptance on this browser. */
export function rememberAcceptedTerms(): void {
  try {
    globalThis.localStorage?.setItem(storageKey, 'yes')
  } catch {
    // Storage is blocked: the box is ticked by hand each time.
  }
}
