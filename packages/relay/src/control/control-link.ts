import {
  type ControlChannel,
  ControlError,
  createRelayPeer,
  type DeviceSession,
  type RelayPeer,
} from '@homeport/contract/control'
import type { Logger } from '@homeport/runtime'
import { createBackoff } from '@homeport/runtime'

/** What the server says at the beginning of each attachment. */
export type Welcome = Awaited<ReturnType<typeof sayHello>>

/** What the server may ask and tell. */
export type ServerHandlers = Parameters<typeof createRelayPeer>[1]

/** What a control link works with. */
export interface ControlLinkParts {
  readonly relayId: string
  readonly version: string
  readonly logger: Logger
  readonly handlers: ServerHandlers
  connect(): Promise<ControlChannel>
  /** Whom we carry, for hello. */
  listSessions(): DeviceSession[]
  /** The link is up: settings, and everything that may have been missed while it was not. When it is lost,
   * `connect` is called again with back-off. */
  onUp(welcome: Welcome): void
}

/** The relay's link to a server; it comes back by itself. */
export interface ControlLink {
  /** Begins to attach; resolves when it is attached for the first time. */
  start(): Promise<void>
  /** Asks the server. Rejects with ControlError, at once while the link is down. */
  readonly request: RelayPeer['request']
  /** Tells the server; false while the link is down, when nothing was told. */
  notify(...told: Parameters<RelayPeer['notify']>): boolean
  stop(): void
}

const sayHello = (peer: RelayPeer, parts: ControlLinkParts) =>
  peer.request('hello', {
    relay: parts.relayId,
    version: parts.version,
    sessions: parts.listSessions(),
  })

/** Makes a link that is not attached yet. */
export function createControlLink(parts: ControlLinkParts): ControlLink {
  const { logger } = parts
  const backoff = createBackoff({ minMs: 250, maxMs: 10_000 })
  const firstUp = Promise.withResolvers<void>()
  /** Set once hello was sent: messages keep their order, so the server hears hello first. */
  let peer: RelayPeer | null = null
  let isUp = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  function attachLater(): void {
    if (isStopped) return
    timer = setTimeout(() => void attach(), backoff.next())
  }

  async function attach(): Promise<void> {
    let channel: ControlChannel
    try {
      channel = await parts.connect()
    } catch (cause) {
      logger.warn({ err: cause }, 'control link: cannot connect')
      return attachLater()
    }
    if (isStopped) return channel.close()
    const mine = createRelayPeer(channel, parts.handlers, ({ method, cause }) =>
      logger.error({ method, err: cause }, 'control link: a message could not be handled'),
    )
    void mine.closed.then(() => lose(mine))
    const answer = sayHello(mine, parts)
    peer = mine
    try {
      const welcome = await answer
      if (peer !== mine) return
      isUp = true
      backoff.reset()
      parts.onUp(welcome)
      logger.info({ ports: welcome.ports.length }, 'control link: up')
      firstUp.resolve()
    } catch (cause) {
      logger.warn({ err: cause }, 'control link: no welcome')
      mine.close()
      lose(mine)
    }
  }

  function lose(lost: RelayPeer): void {
    if (peer !== lost) return
    peer = null
    isUp = false
    if (!isStopped) logger.warn({}, 'control link: down')
    attachLater()
  }

  return {
    start() {
      void attach()
      return firstUp.promise
    },
    async request(method, params, options) {
      if (peer === null || !isUp) throw new ControlError('closed', `${method}: no link`)
      try {
        return await peer.request(method, params, options)
      } catch (cause) {
        logger.debug({ method, err: cause }, 'control link: no answer')
        throw cause
      }
    },
    notify(...told) {
      if (peer === null) return false
      peer.notify(...told)
      return true
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      peer?.close()
    },
  }
}
