import { lookup } from 'node:dns/promises'
import type { Clock } from '@homeport/runtime'

/** A name server that does not answer is given up after this many ms. */
const lookupTimeoutMs = 5000

/** `found`: the name has an address. `missing`: it has none. `silent`: nobody could tell. */
export type LookupResult = 'found' | 'missing' | 'silent'

/** Looks a name up with the system's resolver, as a visitor on this machine would; never throws. */
export async function lookUpName(host: string, clock: Clock): Promise<LookupResult> {
  // RFC 6761 section 6.3: names under localhost are this machine, whatever a resolver says.
  if (host === 'localhost' || host.endsWith('.localhost')) return 'found'
  const { promise, resolve } = Promise.withResolvers<LookupResult>()
  const timer = clock.setTimeout(() => resolve('silent'), lookupTimeoutMs)
  try {
    return await Promise.race([promise, askResolver(host)])
  } finally {
    timer.cancel()
  }
}

async function askResolver(host: string): Promise<LookupResult> {
  try {
    await lookup(host)
    return 'found'
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    return code === 'ENOTFOUND' || code === 'ENODATA' ? 'missing' : 'silent'
  }
}
