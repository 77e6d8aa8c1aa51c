/** What a measurement needs of its surroundings. */
export interface LatencyProbe {
  fetch: typeof fetch
  nowMs: () => number
}

const rounds = 3
const timeoutMs = 4000

/**
 * Round trip from this browser to a relay in ms: the best of three requests, because the first pays for DNS, TCP and TLS and
 * one may wait behind others. Null where it cannot be reached. The answer itself is not read: a relay on another host need
 * not allow that, and no cookie and no header of ours goes there.
 */
export async function measureLatency(
  url: string,
  probe: LatencyProbe,
  signal: AbortSignal,
): Promise<number | null> {
  let bestMs: number | null = null
  for (let round = 0; round < rounds; round += 1) {
    const startMs = probe.nowMs()
    try {
      await probe.fetch(url, {
        mode: 'no-cors',
        cache: 'no-store',
        credentials: 'omit',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      })
    } catch {
      // Refused, cut or too slow: all mean that this browser does not reach the relay now.
      return bestMs
    }
    const ms = Math.round(probe.nowMs() - startMs)
    bestMs = bestMs === null ? ms : Math.min(bestMs, ms)
  }
  return bestMs
}

/** How a latency feels: what a page needs to be pleasant, and where typing into a terminal gets hard. */
export function rateLatency(ms: number): 'good' | 'fair' | 'poor' {
  if (ms < 80) return 'good'
  return ms < 200 ? 'fair' : 'poor'
}
