/** Entries saved in one transaction at most: about 10 ms of the thread on SQLite. */
const batchLimit = 500

/** Collects changes and saves them in batches, one batch at a time; memory is bounded by the number of keys. */
export interface Batcher<K, V> {
  add(key: K, value: V): void
  /** Resolves when everything added so far was saved, or its saving failed. */
  settled(): Promise<void>
}

/** What a batcher works with. */
export interface BatcherParts<K, V> {
  /** The value that stands for an older and a newer one of the same key. */
  merge(older: V, newer: V): V
  /** Saves all or nothing. What it throws is reported, and the batch is tried again with the next change. */
  save(batch: ReadonlyMap<K, V>): Promise<void>
  onFault(cause: unknown): void
}

/** Makes an empty batcher. */
export function createBatcher<K, V>({ merge, save, onFault }: BatcherParts<K, V>): Batcher<K, V> {
  const pending = new Map<K, V>()
  let isRunning = false
  let running = Promise.resolve()

  function put(key: K, value: V): void {
    const older = pending.get(key)
    pending.set(key, older === undefined ? value : merge(older, value))
  }

  function takeBatch(): Map<K, V> {
    const batch = new Map<K, V>()
    for (const [key, value] of pending) {
      if (batch.size === batchLimit) break
      batch.set(key, value)
      pending.delete(key)
    }
    return batch
  }

  async function saveAll(): Promise<void> {
    while (pending.size > 0) {
      // A turn of the loop: what is added together is saved together, and between batches the thread answers others,
      // though a relay that comes back brings thousands of sessions.
      await new Promise(resolve => setImmediate(resolve))
      const batch = takeBatch()
      try {
        await save(batch)
      } catch (cause) {
        onFault(cause)
        for (const [key, older] of batch) {
          const newer = pending.get(key)
          pending.set(key, newer === undefined ? older : merge(older, newer))
        }
        break
      }
    }
    isRunning = false
  }

  return {
    add(key, value) {
      put(key, value)
      if (isRunning) return
      isRunning = true
      running = saveAll()
    },
    settled: () => running,
  }
}
