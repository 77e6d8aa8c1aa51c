import { promises as dns } from 'node:dns'
import type { Clock } from '@homeport/runtime'

/** One question to one name server waits this long in ms; it is asked twice. */
const questionTimeoutMs = 2000

/** All name servers together are given up after this many ms. */
const lookupTimeoutMs = 5000

/** `found`: the name has an address. `missing`: it has none. `silent`: nobody could tell. */
export type LookupResult = 'found' | 'missing' | 'silent'

/**
 * Asks the machine's name servers (or `servers`, in tests) for an address, as a visitor anywhere would; never throws. Not
 * `lookup`: that holds a thread of the small pool, which passwords need too, for as long as a dead resolver likes.
 */
export async function lookUpName(
  host: string,
  clock: Pick<Clock, 'setTimeout'>,
  servers?: readonly string[],
): Promise<LookupResult> {
  // RFC 6761 section 6.3: names under localhost are this machine, whatever a resolver says.
  if (host === 'localhost' || host.endsWith('.localhost')) return 'found'
  const resolver = new dns.Resolver({ timeout: questionTimeoutMs, tries: 2 })
  if (servers !== undefined) resolver.setServers(servers)
  const timer = clock.setTimeout(() => resolver.cancel(), lookupTimeoutMs)
  try {
    return judge(await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]))
  } finally {
    timer.cancel()
  }
}

function judge(answers: PromiseSettledResult<unknown>[]): LookupResult {
  if (answers.some(({ status }) => status === 'fulfilled')) return 'found'
  const isMissing = answers.every(
    answer => answer.status === 'rejected' && isNoAddress(answer.reason),
  )
  return isMissing ? 'missing' : 'silent'
}

const isNoAddress = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ENOTFOUND' || code === 'ENODATA'
