import { ControlError, type Route } from '@homeport/contract/control'
import { systemClock, type Timer } from '@homeport/runtime'
import { createArrivals } from './arrival/arrivals.ts'
import { createFlowIds } from './carry/flow-ids.ts'
import type { FlowRecord } from './carry/flow-record.ts'
import { createHeldBudget } from './carry/held-budget.ts'
import { limitsOf, type RelayConfig } from './config.ts'
import { createControlLink, type Welcome } from './control/control-link.ts'
import { probeRoute } from './control/probe.ts'
import { createUsageMeter } from './control/usage.ts'
import { createEndedSessions } from './gate/ended-sessions.ts'
import { createPassReader } from './gate/pass-reader.ts'
import { createPassages, type Settings } from './routing/passages.ts'
import { createResolver, keyText } from './routing/resolver.ts'
import { createRouteChanges, keyOfText } from './routing/route-changes.ts'
import { hostRulesOf } from './routing/target.ts'
import { createDeviceKeys } from './sessions/device-keys.ts'
import { createFlowShares } from './sessions/flow-shares.ts'
import { createFlows } from './sessions/flows.ts'
import { createLinkDoor } from './sessions/link-door.ts'
import { websocketKeyOf } from './sessions/link-upgrade.ts'
import { openWay } from './sessions/open-way.ts'
import { createOpenings } from './sessions/openings.ts'
import { createSessions } from './sessions/sessions.ts'
import { createTcpCarrier } from './tcp/carry-tcp.ts'
import { createTcpPorts } from './tcp/tcp-ports.ts'
import { createFrontListener } from './tls/front-listener.ts'
import { createDoor } from './visitors/door.ts'
import { createProxyTrust } from './visitors/proxy-trust.ts'

/** A relay: the front door of visitors and agents. */
export interface Relay {
  /** Listens and attaches to the server; waits for that 5 s at most and goes on trying. Rejects where it cannot listen. */
  start(): Promise<void>
  /** Refuses new, tells agents to leave, waits for what runs, closes; within 10 s. */
  stop(): Promise<void>
  /** Where the front door listens. Throws before `start`. */
  address(): { readonly host: string; readonly port: number }
}

const firstAttachMs = 5_000
/** How long requests and flows may go on after `stop`. */
const drainMs = 3_000
const usagePeriodMs = 5_000
/** A visitor waits for the answer; what is remembered serves when it does not come. */
const askTimeoutMs = 3_000

/** Clocks that differ by more than this are worth a line in the log; it is also what a busy server may take to answer. */
const clockToleranceMs = 10_000

/** Puts a relay together; nothing listens yet. Throws where the certificate or a trusted proxy cannot be read. */
export function createRelay(config: RelayConfig): Relay {
  const { logger, clock = systemClock } = config
  const limits = limitsOf(config)
  const isTrusted = createProxyTrust(config.trustedProxies)
  /** How far the server's date is ahead of ours, in ms. */
  let aheadMs = 0
  const now = () => clock.now() + aheadMs
  const monotonicMs = () => clock.monotonicMs()
  const nextFlow = createFlowIds()

  let settings: Settings = {
    rules: hostRulesOf(config.consoleUrl, config.tunnelDomain, config.allowIpLiteralConsole),
    consoleUrl: config.consoleUrl,
    gate: null,
  }
  const endedSessions = createEndedSessions(now)
  const flows = createFlows()
  const meter = createUsageMeter()

  const link = createControlLink({
    relayId: config.relayId,
    version: config.version,
    logger,
    connect: config.connectControl,
    listSessions: () => sessions.list(),
    onUp: welcome,
    handlers: {
      probe: route =>
        probeRoute({ sessions, nextFlow, monotonicMs, timeoutMs: limits.links.probeMs }, route),
      routes_changed: keys => void changes.apply(keys),
      device_revoked: ({ device, code }) => sessions.revoke(device, code),
      console_session_ended: ({ session }) => {
        endedSessions.add(session)
        flows.endSessions(endedSessions.has)
      },
    },
  })

  const isServerSilent = config.isServerSilent ?? (() => false)
  const ask: typeof link.request = (method, params) =>
    isServerSilent()
      ? Promise.reject(new ControlError('timeout', `${method}: the server is silent`))
      : link.request(method, params, { timeoutMs: askTimeoutMs })
  const resolver = createResolver({
    now: monotonicMs,
    limits: limits.resolver,
    ask: key => ask('resolve', key),
  })
  const keys = createDeviceKeys({
    now: monotonicMs,
    ask: device => ask('device_key', { device }),
  })
  const sessions = createSessions({
    keys,
    limits: limits.links,
    clock,
    now,
    logger,
    onOpened: session => link.notify('session_opened', session),
    onClosed: ({ device, session }, reason) =>
      link.notify('session_closed', { device, session, reason }),
  })
  const linkDoor = createLinkDoor({
    relayId: config.relayId,
    keys,
    sessions,
    limits: limits.links,
    clock,
    logger,
  })
  const way = {
    resolver,
    openFlow: openWay.bind(null, {
      sessions,
      shares: createFlowShares({ limits: limits.links, clock, logger, isTrusted }),
      openings: createOpenings(limits.links, clock),
      flows,
      resolver,
      endedSessions,
    }),
    onFlowEnd,
  }
  const arrivals = createArrivals({
    proxyProtocol: config.proxyProtocol ?? 'off',
    isTrusted,
    limits: limits.arrival,
    clock,
    logger,
  })
  const held = createHeldBudget({ limitBytes: limits.carry.heldBytes, logger })
  const tcpPorts = createTcpPorts({
    host: config.host,
    limits: limits.ports,
    arrivals,
    logger,
    carry: createTcpCarrier({
      ...way,
      logger,
      idleMs: limits.ports.idleMs,
      held,
      nextFlow,
    }),
  })
  const changes = createRouteChanges({
    resolver,
    isInUse: key => flows.has(keyText(key)),
    onDecided(key, route) {
      flows.keepOnly(keyText(key), route)
      if (key.kind !== 'port') return
      if (route?.kind === 'tcp') tcpPorts.open(key.port)
      else tcpPorts.close(key.port)
    },
  })
  const door = createDoor({
    log: logger,
    limits: limits.door,
    held,
    trustedProxies: config.trustedProxies,
    resolve: createPassages({
      ...way,
      serverAddress: config.serverAddress,
      isServerSilent,
      settings: () => settings,
      takeLink: visitor => (socket, head, rest) =>
        void linkDoor.accept({
          socket,
          head: rest,
          authority: head.authority.text,
          websocketKey: websocketKeyOf(head),
          address: visitor.address,
        }),
    }),
  })
  const front = createFrontListener({
    tls: config.tls,
    connectionLimit: limits.door.connections + limits.links.links,
    limits: limits.arrival,
    arrivals,
    clock,
    logger,
    accept: door.accept,
  })

  function welcome(given: Welcome): void {
    const { console_url: consoleUrl, tunnel_domain: tunnelDomain } = given
    const key = Buffer.from(given.gate_key, 'base64url')
    // With a short key anybody could seal a gate cookie; the link is not used then.
    if (key.length !== 32) throw new Error('the gate key of the server has not 32 bytes')
    aheadMs = (given.now ?? clock.now()) - clock.now()
    if (Math.abs(aheadMs) > clockToleranceMs) {
      logger.warn({ aheadMs }, "the server's clock and this relay's disagree; the server's counts")
    }
    settings = {
      rules: hostRulesOf(consoleUrl, tunnelDomain, config.allowIpLiteralConsole),
      consoleUrl,
      gate: { key, readPass: createPassReader(key), consoleUrl, endedSessions, now },
    }
    // What changed while the link was down was told to nobody: everything is asked again.
    resolver.expireAll()
    keys.expireAll()
    for (const session of given.ended_sessions) endedSessions.add(session)
    flows.endSessions(endedSessions.has)
    tcpPorts.set(given.ports)
    void changes.recheck(flows.keys().map(keyOfText))
  }

  function onFlowEnd({ record, device }: Route, ended: FlowRecord): void {
    const { bytesUp, bytesDown } = ended
    meter.add({ record, requests: 1, bytes_in: bytesUp, bytes_out: bytesDown })
    logger.debug({ record, device, ...ended }, 'flow ended')
  }

  // Before a thread that hangs messages would pile up, and be lost with it: until it answers, usage waits here, where it is added up.
  const reportUsage = () => meter.flush(batch => !isServerSilent() && link.notify('usage', batch))
  let reporting: Timer | null = null

  return {
    async start() {
      await front.listen(config.host, config.port)
      reporting = clock.setInterval(reportUsage, usagePeriodMs)
      const late = Promise.withResolvers<void>()
      const timer = clock.setTimeout(late.resolve, firstAttachMs)
      await Promise.race([link.start(), late.promise])
      timer.cancel()
    },
    async stop() {
      front.stop()
      tcpPorts.stop()
      linkDoor.stop()
      await Promise.all([door.drain(drainMs), sessions.drain(drainMs)])
      reporting?.cancel()
      reportUsage()
      link.stop()
      front.destroy()
    },
    address: front.address,
  }
}
