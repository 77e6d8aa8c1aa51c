/**
 * A map that never holds more than `limit` entries: what was used longest ago is forgotten first. What visitors and
 * agents can make us remember is kept in one of these, so that their number cannot become our memory.
 */
export interface BoundedMap<K, V> {
  /** The value, which now counts as used last. */
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
}

/** Makes an empty map of at most `limit` entries. */
export function createBoundedMap<K, V>(limit: number): BoundedMap<K, V> {
  const entries = new Map<K, V>() // a Map iterates in the order of insertion: its head was used longest ago
  return {
    get(key) {
      const value = entries.get(key)
      if (value === undefined) return undefined
      entries.delete(key)
      entries.set(key, value)
      return value
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size <= limit) return
      for (const oldest of entries.keys()) {
        entries.delete(oldest)
        return
      }
    },
    delete(key) {
      entries.delete(key)
    },
  }
}
