/**
 * What this browser remembers of reading. `untilSignIn`: read without being signed in, handed to the next account that
 * signs in. `seen`: read by an account here; it only keeps the dialog away after signing out.
 */
export type ReadSlot = 'untilSignIn' | 'seen'

const storageKeys: Record<ReadSlot, string> = {
  untilSignIn: 'homeport.readed_announcement_id',
  seen: 'homeport.seen_announcement_id',
}

/** The stored id; 0 where nothing is stored. */
export function readStoredId(slot: ReadSlot): number {
  try {
    const id = Number(globalThis.localStorage?.getItem(storageKeys[slot]))
    return Number.isSafeInteger(id) && id > 0 ? id : 0
  } catch {
    return 0 // storage is blocked: the announcement is shown again, which is the harmless way
  }
}

/** Stores an id; 0 forgets it. */
export function storeReadId(slot: ReadSlot, id: number): void {
  try {
    if (id === 0) globalThis.localStorage?.removeItem(storageKeys[slot])
    else globalThis.localStorage?.setItem(storageKeys[slot], String(id))
  } catch {
    // Storage is blocked or full: the announcement will be shown again at the next visit.
  }
}
