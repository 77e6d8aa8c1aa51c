import type { Usage } from '@homeport/contract/control'

// Records that used something between two reports; beyond, usage of further records is lost, never memory.
const recordLimit = 50_000

/** Adds up what records used until it is reported. */
export interface UsageMeter {
  add(usage: Usage): void
  /** Hands what was added to `send`; kept where `send` answers that it could not. */
  flush(send: (batch: Usage[]) => boolean): void
}

// The control link reads one message at once: a batch of 500 is about 40 KB.
const batchLimit = 500

/** Makes an empty meter. */
export function createUsageMeter(): UsageMeter {
  let byRecord = new Map<number, Usage>()

  function add({ record, requests, bytes_in, bytes_out }: Usage): void {
    const sum = byRecord.get(record)
    if (sum === undefined) {
      if (byRecord.size < recordLimit)
        byRecord.set(record, { record, requests, bytes_in, bytes_out })
      return
    }
    sum.requests += requests
    sum.bytes_in += bytes_in
    sum.bytes_out += bytes_out
  }

  return {
    add,
    flush(send) {
      const all = [...byRecord.values()]
      byRecord = new Map()
      for (let start = 0; start < all.length; start += batchLimit) {
        const batch = all.slice(start, start + batchLimit)
        if (!send(batch)) for (const usage of batch) add(usage)
      }
    },
  }
}
