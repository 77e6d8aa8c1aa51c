/** A link as a budget sees it. */
export interface UnreadHolder {
  readonly unreadBytes: number
  /** Resets the link's fullest stream. */
  shed(): void
}

/** Bytes that wait unread on many links together: what one process holds for all of them, whoever they belong to. */
export interface UnreadBudget {
  join(holder: UnreadHolder): void
  leave(holder: UnreadHolder): void
  /** Counts bytes that wait (or, negative, no longer do). Beyond the limit the fullest link sheds, not the one that asks. */
  count(bytes: number): void
}

/** Makes a budget; `limitBytes` is passed by one chunk of at most 32 KiB before somebody pays. */
export function createUnreadBudget(limitBytes: number): UnreadBudget {
  const holders = new Set<UnreadHolder>()
  let heldBytes = 0
  return {
    join: holder => void holders.add(holder),
    leave: holder => void holders.delete(holder),
    count(bytes) {
      heldBytes += bytes
      if (bytes <= 0 || heldBytes <= limitBytes) return
      let fullest: UnreadHolder | null = null
      for (const holder of holders) {
        if (fullest === null || holder.unreadBytes > fullest.unreadBytes) fullest = holder
      }
      fullest?.shed()
    },
  }
}
