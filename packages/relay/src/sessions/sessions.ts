import type { Duplex } from 'node:stream'
import type { DeviceSession } from '@homeport/contract/control'
import { type Clock, createRateLimiter, type Logger } from '@homeport/runtime'
import {
  type AcceptedLink,
  acceptControl,
  type FlowHead,
  type LinkHello,
  moveFlow,
  openFlow,
  type RelayMessage,
  TunnelError,
  type TunnelErrorCode,
  toTunnelError,
  type YamuxStream,
} from '@homeport/tunnel'
import {
  createDevice,
  createSession,
  type Device,
  type DeviceFlow,
  type Link,
  pickLink,
  readFacts,
  type Session,
  updateFacts,
} from './device.ts'
import type { DeviceKeys, FoundDevice } from './device-keys.ts'
import { askForLinks, closeIdleLinks, isNear } from './growth.ts'
import type { LinkLimits } from './limits.ts'
import { type Move, moveLimit, pickMove } from './spread.ts'

/** What sessions work with. */
export interface SessionsParts {
  readonly keys: DeviceKeys
  readonly limits: LinkLimits
  readonly clock: Clock
  /** The server's date in epoch ms. */
  now(): number
  readonly logger: Logger
  /** A session began, or its facts changed. */
  onOpened(session: DeviceSession): void
  onClosed(session: DeviceSession, reason: string): void
}

/** How a stream is opened. */
export interface OpenOptions {
  readonly signal?: AbortSignal
  /** How long the agent may take to reach the target; the limit of the configuration. */
  readonly timeoutMs?: number
}

/** Devices that are here now, and the way to them. */
export interface Sessions {
  /** The last word of a handshake: throws the TunnelError that the agent is told. */
  admit(hello: LinkHello, found: FoundDevice): void
  /** Takes a link whose device has proved its key. */
  add(link: AcceptedLink<FoundDevice>, publicIp: string): void
  /** The last round trip to a device in ms, 0 while unmeasured; null where it is not here. */
  roundTripOf(device: string): number | null
  /**
   * A stream to a target of a device. Rejects with TunnelError: `device_offline` where the device is not here,
   * `stream_limit` where it has too many flows, else as `openFlow` of the tunnel. The stream emits `leaving` when its
   * agent is about to go.
   */
  open(device: string, head: FlowHead, options?: OpenOptions): Promise<Duplex>
  list(): DeviceSession[]
  /** Ends all links of a device whose credential died; it is told where it must not come back. */
  revoke(device: string, code: 'deleted' | 'paused'): void
  /** Takes no more links, tells agents to go elsewhere, waits for their flows at most so long, closes. */
  drain(timeoutMs: number): Promise<void>
}

// Links and news of one device: each becomes a message to the server and a write there. A new start with 8 links and
// a flapping line fit; a device that goes round in circles does not.
const deviceRate = { burst: 30, perSecond: 0.5, keyLimit: 20_000 }

/** How a flow fails whose link ends, or whose agent leaves, before it has answered. */
const linkFaults: ReadonlySet<TunnelErrorCode> = new Set([
  'stream_reset',
  'link_lost',
  'link_silent',
])

/** Makes an empty register of sessions. */
export function createSessions(parts: SessionsParts): Sessions {
  const { limits, clock, logger } = parts
  const devices = new Map<string, Device>()
  const rate = createRateLimiter({ ...deviceRate, clock })
  let linkCount = 0
  let flowCount = 0
  let isDraining = false
  const idle = Promise.withResolvers<void>()
  const sweep = clock.setInterval(() => {
    for (const { session } of devices.values()) if (session.links.size > 1) closeIdleLinks(session)
  }, limits.idleLinkMs)

  function countFlow(stream: Duplex, device: string, { record, flow }: FlowHead): void {
    flowCount += 1
    stream.once('close', () => {
      flowCount -= 1
      const { errored } = stream
      if (errored instanceof TunnelError && errored.code === 'memory_limit') {
        logger.warn({ device, record, flow }, 'unread bytes over the limit: the flow was reset')
      }
      if (isDraining && flowCount === 0) idle.resolve()
    })
  }

  function close(device: Device, reason: string): void {
    const { facts, links } = device.session
    if (devices.get(facts.device) === device && links.size === 0) devices.delete(facts.device)
    logger.info({ device: facts.device, session: facts.session, reason }, 'session closed')
    parts.onClosed(facts, reason)
  }

  // The message leaves in this turn of the event loop, the link ends in the next. Where the agent does not read, the
  // message is lost with the link and the agent hears the same when it dials again.
  function dismiss(link: Link, code: 'device_revoked' | 'session_replaced'): void {
    link.send({ type: 'revoked', code })
    setImmediate(() => link.muxer.destroy(new TunnelError(code)))
  }

  // The newest wins: a device that came back after a power cut must not wait until its dead link is noticed.
  function replace(device: Device, facts: DeviceSession): void {
    const old = device.session
    device.replaced.set(old.facts.session, true)
    device.session = createSession(facts)
    logger.warn(
      { device: facts.device, session: facts.session, replaced: old.facts.session },
      'a newer agent with the same device key took the place',
    )
    parts.onClosed(old.facts, 'replaced')
    for (const link of old.links) dismiss(link, 'session_replaced')
  }

  function enter(facts: DeviceSession): Device {
    const known = devices.get(facts.device)
    if (known?.session.facts.session === facts.session) return known
    const device = known ?? createDevice(facts)
    if (known === undefined) devices.set(facts.device, device)
    else replace(known, facts)
    const { session, agent_version, public_ip } = facts
    logger.info({ device: facts.device, session, agent_version, public_ip }, 'session opened')
    parts.onOpened(facts)
    return device
  }

  function grow(session: Session): void {
    if (isDraining || linkCount >= limits.links) return
    askForLinks(session, limits, clock.monotonicMs())
  }

  function hold(device: Device, link: Link): void {
    const { session } = device
    session.links.add(link)
    linkCount += 1
    link.muxer.onBulk(() => {
      grow(session)
      spread(session)
    })
    // Whoever keeps one for a next request lets go of it: the agent waits for those that are in use alone.
    link.muxer.onGoAway(() => {
      for (const { stream } of link.flows.values()) stream.emit('leaving')
    })
    spread(session)
    void link.muxer.closed.then(reason => {
      linkCount -= 1
      session.links.delete(link)
      if (session.links.size === 0 && device.session === session) close(device, reason.code)
    })
  }

  function spread(session: Session): void {
    if (isDraining || isNear(session, limits.nearRoundTripMs)) return
    for (let move = pickMove(session); move !== null; move = pickMove(session)) {
      void carryOver(session, move)
    }
  }

  async function carryOver(session: Session, { stream, flow, from, to }: Move): Promise<void> {
    to.arriving += 1
    to.flowsOpened += 1
    flow.movesLeft -= 1
    const { openFlowMs: timeoutMs } = limits
    try {
      keep(to, await moveFlow(stream, flow.head, to.muxer, { timeoutMs }), flow)
      from.flows.delete(stream)
    } catch (cause) {
      flow.movesLeft = 0
      logger.debug({ flow: flow.head.flow, err: cause }, 'a flow stays on its link')
    }
    to.arriving -= 1
    spread(session)
  }

  function keep(link: Link, stream: YamuxStream, flow: DeviceFlow): void {
    link.flows.set(stream, flow)
    stream.once('close', () => link.flows.delete(stream))
  }

  function countFlows(device: Device): number {
    let flows = 0
    for (const link of device.session.links) flows += link.muxer.streamCount
    return flows
  }

  async function open(uid: string, head: FlowHead, options: OpenOptions = {}): Promise<Duplex> {
    const { signal, timeoutMs = limits.openFlowMs } = options
    const device = devices.get(uid)
    const link = device === undefined ? null : pickLink(device.session)
    if (device === undefined || link === null) throw new TunnelError('device_offline')
    // The control stream of each link counts as one.
    if (countFlows(device) >= limits.flowsPerDevice) throw new TunnelError('stream_limit')
    link.flowsOpened += 1
    grow(device.session)
    try {
      const stream = await openFlow(link.muxer, head, { timeoutMs, signal })
      keep(link, stream, { head, stream, movesLeft: moveLimit })
      countFlow(stream, uid, head)
      return stream
    } catch (cause) {
      // The link was on its way out: nothing of the visitor has left yet, so another link may take it, if there is one.
      if (link.muxer.isOpen || !linkFaults.has(toTunnelError(cause).code)) throw cause
      return open(uid, head, options)
    }
  }

  return {
    admit(hello, found) {
      if (isDraining) throw new TunnelError('relay_draining')
      if (linkCount >= limits.links) throw new TunnelError('relay_busy')
      // Revoked since it was looked up, or paused: when the agent comes back, the server is asked anew.
      if (!parts.keys.isCurrent(hello.device, found)) throw new TunnelError('relay_busy')
      if (!rate.take(hello.device).isAllowed) {
        throw new TunnelError('relay_busy', { detail: 'this device links too often' })
      }
      const device = devices.get(hello.device)
      if (device === undefined) return
      if (device.replaced.get(hello.session) === true) {
        logger.warn(
          { device: hello.device, session: hello.session, stays: device.session.facts.session },
          'two agents share one device key; the newer one stays',
        )
        device.session.facts = { ...device.session.facts, shared_at: parts.now() }
        parts.onOpened(device.session.facts)
        throw new TunnelError('session_replaced')
      }
      const isSame = device.session.facts.session === hello.session
      if (isSame && device.session.links.size >= limits.linksPerDevice) {
        throw new TunnelError('relay_busy', { detail: 'too many links of this device' })
      }
    },
    add({ muxer, hello, found }, publicIp) {
      if (isDraining || !parts.keys.isCurrent(hello.device, found)) {
        muxer.destroy(new TunnelError(isDraining ? 'relay_draining' : 'device_revoked'))
        return
      }
      const device = enter(readFacts(hello, publicIp, clock.now()))
      const { session } = device
      const control = acceptControl(muxer, message => {
        session.facts = updateFacts(session.facts, message)
        if (device.session !== session || !rate.take(hello.device).isAllowed) return
        parts.onOpened(session.facts)
      })
      const send = (message: RelayMessage) => control.send(message)
      hold(device, { muxer, send, flows: new Map(), arriving: 0, flowsOpened: 0, flowsSeen: 0 })
    },
    roundTripOf(device) {
      const known = devices.get(device)
      const link = known === undefined ? null : pickLink(known.session)
      return link === null ? null : link.muxer.roundTripMs
    },
    open,
    list: () => [...devices.values()].map(device => device.session.facts),
    revoke(uid, code) {
      parts.keys.forget(uid)
      const device = devices.get(uid)
      if (device === undefined) return
      for (const link of device.session.links) {
        // A paused device comes back by itself; whether it may is asked anew.
        if (code === 'deleted') dismiss(link, 'device_revoked')
        else link.muxer.destroy(new TunnelError('device_revoked', { detail: code }))
      }
    },
    async drain(timeoutMs) {
      isDraining = true
      sweep.cancel()
      if (flowCount === 0) idle.resolve()
      const links = [...devices.values()].flatMap(device => [...device.session.links])
      for (const link of links) {
        link.send({ type: 'drain', deadlineMs: timeoutMs })
        link.muxer.goAway()
      }
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(resolve, timeoutMs)
      await Promise.race([idle.promise, late])
      clearTimeout(timer)
      // Their last bytes, and the word to leave, go out in the next turn of the event loop.
      await new Promise(done => setImmediate(done))
      for (const link of links) link.muxer.close()
      await Promise.all(links.map(link => link.muxer.closed))
    },
  }
}
