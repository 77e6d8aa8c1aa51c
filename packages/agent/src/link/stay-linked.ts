import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Backoff, Logger } from '@homeport/runtime'
import {
  type AgentInfo,
  type DialLinkOptions,
  dialLink,
  type Muxer,
  openControl,
  TunnelError,
  toTunnelError,
} from '@homeport/tunnel'

/** What keeping a link needs. */
export interface LinkOptions {
  link: Pick<DialLinkOptions, 'server' | 'key' | 'device' | 'tls'>
  info: () => AgentInfo
  backoff: Backoff
  logger: Logger
  serve: (stream: Duplex) => void
  /** Told when the agent is linked, and when it is not any more. */
  onLinked: (isLinked: boolean) => void
  signal: AbortSignal
}

// Who was replaced by another process with the same identity waits this long before it tries to take the place
// back: two copies of one disk then cost a handshake a minute, not a fight.
const replacedDelayMs = 60_000

const steadyMs = 10_000

/**
 * Stays linked until the signal: dials, serves, and dials again after every loss with a jittered back-off.
 * Rejects with TunnelError where trying again is of no use (the device was unbound, its key is not known).
 */
export async function stayLinked(options: LinkOptions): Promise<void> {
  const session = randomBytes(16).toString('base64url')
  while (!options.signal.aborted) {
    const reason = await linkOnce(session, options)
    if (options.signal.aborted) return
    if (reason.retry === 'never') throw reason
    const delayMs = delayBefore(reason, options.backoff)
    options.logger.warn(
      { code: reason.code, detail: reason.detail, delayMs },
      'not linked; dialling again',
    )
    await delay(delayMs, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

function delayBefore(reason: TunnelError, backoff: Backoff): number {
  if (reason.code === 'session_replaced') return replacedDelayMs
  return Math.max(reason.retryAfterMs ?? 0, backoff.next())
}

async function linkOnce(session: string, options: LinkOptions): Promise<TunnelError> {
  const { logger, signal } = options
  try {
    const { muxer, relay } = await dialLink({
      ...options.link,
      session,
      info: options.info(),
      signal,
    })
    logger.info({ relay }, 'linked')
    return await useLink(muxer, options)
  } catch (cause) {
    return toTunnelError(cause, 'link_unreachable')
  }
}

async function useLink(muxer: Muxer, options: LinkOptions): Promise<TunnelError> {
  const close = () => void muxer.drain(5000)
  options.signal.addEventListener('abort', close, { once: true })
  const over = muxer.closed.finally(() => options.signal.removeEventListener('abort', close))
  const left = Promise.withResolvers<TunnelError>()
  muxer.acceptStreams(options.serve)
  openControl(muxer, message => {
    if (message.type === 'revoked') {
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
