import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Backoff, Logger } from '@homeport/runtime'
import {
  type AgentInfo,
  createUnreadBudget,
  type DialLinkOptions,
  dialLink,
  LINK_LIMIT,
  type Muxer,
  openControl,
  TunnelError,
  toTunnelError,
  type YamuxStream,
} from '@homeport/tunnel'

/** What keeping a link needs. */
export interface LinkOptions {
  link: Pick<DialLinkOptions, 'server' | 'key' | 'device' | 'tls' | 'connect' | 'unreadBudget'>
  info: () => AgentInfo
  backoff: Backoff
  logger: Logger
  serve: (stream: YamuxStream) => void
  /** Told when the agent's first link stands, and when its last one is gone. */
  onLinked: (isLinked: boolean) => void
  signal: AbortSignal
}

// Who was replaced by another process with the same identity waits this long before it tries to take the place
// back: two copies of one disk then cost a handshake a minute, not a fight.
const replacedDelayMs = 60_000

const steadyMs = 10_000

/** Bytes of visitors that targets have not taken yet, over all links; beyond it the fullest stream is reset. A router has little memory. */
export const unreadLimitBytes = 64 * 1024 * 1024

// How long flows may go on after a stop. The relay opens no more from the first moment and lets go of those that it merely keeps, so
// every second is one in which the device looks offline for the sake of what still runs.
const drainMs = 2000

// A relay asks at most once a second; one that asks more often is not followed.
const growPauseMs = 500

/**
 * Stays linked until the signal: dials, serves, and dials again with a jittered back-off when its last link is lost.
 * One link is dialled; more come and go as the relay asks. Rejects with TunnelError where trying again is of no use
 * (the device was unbound, its key is not known).
 */
export function stayLinked(options: LinkOptions): Promise<void> {
  const { backoff, logger, signal } = options
  const session = randomBytes(16).toString('base64url')
  const unreadBudget = createUnreadBudget(unreadLimitBytes)
  const link = { ...options.link, unreadBudget }
  const over = Promise.withResolvers<void>()
  /** Links that are dialled or in use; those that the relay drains do not count. */
  let live = 0
  let linked = 0
  let grownAt = Number.NEGATIVE_INFINITY

  async function run(): Promise<void> {
    live += 1
    const reason = await linkOnce(session, { ...options, link, onLinked: countLinked }, grow)
    live -= 1
    // While another link stands, the session goes on: what one was lost for is said again where it matters.
    if (live > 0) return
    if (signal.aborted) return over.resolve()
    if (reason.retry === 'never') return over.reject(reason)
    const delayMs = delayBefore(reason, backoff)
    tell(logger, reason, delayMs)
    await delay(delayMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) over.resolve()
    else void run()
  }

  function countLinked(isLinked: boolean): void {
    linked += isLinked ? 1 : -1
    if (linked === (isLinked ? 1 : 0)) options.onLinked(isLinked)
  }

  function grow(links: number): void {
    const now = performance.now()
    if (live === 0 || signal.aborted || now - grownAt < growPauseMs) return
    grownAt = now
    for (let missing = Math.min(links, LINK_LIMIT) - live; missing > 0; missing -= 1) void run()
  }

  void run()
  return over.promise
}

function tell(logger: Logger, { code, detail }: TunnelError, delayMs: number): void {
  const facts = { code, detail, delayMs }
  if (code === 'session_replaced') {
    logger.error(facts, 'another machine took the place with a copy of this data folder')
  } else if (code === 'link_tls_failed' && clockFaults.has(detail)) {
    // The other way round it would be the server's certificate that is old; whoever reads both dates knows.
    const clock = new Date().toISOString()
    logger.error(
      { ...facts, clock },
      "not linked: this machine's clock and the certificate disagree",
    )
  } else logger.warn(facts, 'not linked; dialling again')
}

/** What OpenSSL says of a certificate that is good on another day. */
const clockFaults = new Set(['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])

function delayBefore(reason: TunnelError, backoff: Backoff): number {
  if (reason.code === 'session_replaced') return replacedDelayMs
  // On top of what the relay asked for: it tells all of a herd the same, and they would come again as one.
  return (reason.retryAfterMs ?? 0) + backoff.next()
}

async function linkOnce(
  session: string,
  options: LinkOptions,
  grow: (links: number) => void,
): Promise<TunnelError> {
  const { logger, signal } = options
  try {
    const { muxer, relay } = await dialLink({
      ...options.link,
      session,
      info: options.info(),
      signal,
    })
    logger.info({ relay }, 'linked')
    return await useLink(muxer, options, grow)
  } catch (cause) {
    return toTunnelError(cause, 'link_unreachable')
  }
}

async function useLink(
  muxer: Muxer,
  options: LinkOptions,
  grow: (links: number) => void,
): Promise<TunnelError> {
  const close = () => void muxer.drain(drainMs)
  options.signal.addEventListener('abort', close, { once: true })
  const over = muxer.closed.finally(() => options.signal.removeEventListener('abort', close))
  const left = Promise.withResolvers<TunnelError>()
  muxer.acceptStreams(options.serve)
  openControl(muxer, message => {
    if (message.type === 'grow') grow(message.links)
    else if (message.type === 'revoked') {
      left.resolve(new TunnelError(message.code))
      muxer.close()
    }
    // The next link is dialled at once; what runs on this one goes on until the relay closes it.
    else left.resolve(new TunnelError('relay_draining'))
  })
  options.onLinked(true)
  // A link that lasted is a fresh start; one that dies at once keeps growing the back-off.
  const steady = setTimeout(options.backoff.reset, steadyMs).unref()
  const reason = await Promise.race([over, left.promise])
  clearTimeout(steady)
  options.onLinked(false)
  return reason
}
