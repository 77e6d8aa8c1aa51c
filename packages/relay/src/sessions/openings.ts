import { TunnelError } from '@homeport/tunnel'

/** Counts the flows that are being opened, by owner. */
export interface Openings {
  /** Runs `open` while it is counted. Rejects with `stream_limit` where the owner has too many, else as `open`. */
  count<T>(owner: number, open: () => Promise<T>): Promise<T>
}

/** Makes a count that lets one owner have so many at a time. */
export function createOpenings(limitPerOwner: number): Openings {
  const byOwner = new Map<number, number>()
  return {
    async count(owner, open) {
      const known = byOwner.get(owner) ?? 0
      if (known >= limitPerOwner) {
        throw new TunnelError('stream_limit', { detail: 'too many targets have not answered yet' })
      }
      byOwner.set(owner, known + 1)
      try {
        return await open()
      } finally {
        const left = (byOwner.get(owner) ?? 1) - 1
        if (left === 0) byOwner.delete(owner)
        else byOwner.set(owner, left)
      }
    },
  }
}
