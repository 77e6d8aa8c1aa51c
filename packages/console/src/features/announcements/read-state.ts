const storageKey = 'homeport.readed_announcement_id'

/** Id this browser has read up to without being signed in; 0 where nothing is stored. */
export function readStoredId(): number {
  try {
    const id = Number(globalThis.localStorage?.getItem(storageKey))
    return Number.isSafeInteger(id) && id > 0 ? id : 0
  } catch {
    return 0 // storage is blocked: the announcement is shown again, which is the harmless way
  }
}

/** Keeps the id until sign-in; 0 forgets it. */
export function storeReadId(id: number): void {
  try {
    if (id === 0) globalThis.localStorage?.removeItem(storageKey)
    else globalThis.localStorage?.setItem(storageKey, String(id))
  } catch {
    // Storage is blocked or full: the announcement will be shown again at the next visit.
  }
}
