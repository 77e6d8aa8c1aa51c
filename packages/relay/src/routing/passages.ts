import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Route } from '@homeport/contract/control'
import { gatePrefix } from '@homeport/contract/gate'
import { LINK_PATH } from '@homeport/tunnel'
import type { FlowRecord } from '../carry/flow-record.ts'
import type { ServerAddress } from '../config.ts'
import { decideAccess, type GateParts, unknownNameLocation } from '../gate/gate.ts'
import { type GateRequest, isPageLoad } from '../gate/page-load.ts'
import { type DoorResponse, renderPage } from '../pages/render.ts'
import { asksForLink } from '../sessions/link-upgrade.ts'
import type { Field } from '../visitors/field-lines.ts'
import { createHeadRewrite, type HeadRewrite } from '../visitors/head-rewrite.ts'
import { isLooping } from '../visitors/loop.ts'
import type { Passage, Visitor } from '../visitors/passage.ts'
import type { RequestHead } from '../visitors/request-head.ts'
import type { Resolution, Resolver } from './resolver.ts'
import { type HostRules, readHostTarget } from './target.ts'

/** What the control link has said so far; the gate is null until its first welcome. */
export interface Settings {
  readonly rules: HostRules
  readonly consoleUrl: string
  readonly gate: GateParts | null
}

/** What passages are decided with. */
export interface PassagesParts {
  readonly resolver: Resolver
  readonly serverAddress: ServerAddress
  isServerSilent(): boolean
  settings(): Settings
  /** A stream to a record's target for a visitor whom the gate let in. */
  openFlow(way: Way, flow: string, signal: AbortSignal): Promise<Duplex>
  onFlowEnd(route: Route, record: FlowRecord): void
  takeLink(visitor: Visitor): (Passage & { kind: 'takeover' })['take']
}

/** A visitor's way to a record's target. */
export interface Way {
  /** `keyText` of where the visitor knocked. */
  readonly key: string
  readonly route: Route
  /** Console session that let the visitor in; null on a public record. */
  readonly session: string | null
  /** The visitor's address: flows are shared out by it. */
  readonly address: string
}

// The server is asked as the visitor asked the relay: the Host is the console's own.
const consoleRewrite: HeadRewrite = { host: null, ownOrigin: null, origins: [], scheme: 'http' }

/** Decides what stands behind each request of the front door. */
export function createPassages(
  parts: PassagesParts,
): (head: RequestHead, visitor: Visitor) => Passage | Promise<Passage> {
  const fittings = new WeakMap<Route, { rewrite: HeadRewrite; key: string }>()

  /** What a route is fitted with; decisions in memory keep their route, so this is worked out once for each. */
  function fitRoute(route: Route) {
    const known = fittings.get(route)
    if (known !== undefined) return known
    const { record, device, target, options } = route
    const rewrite = createHeadRewrite({ hostHeader: options.host_header, target })
    const key = JSON.stringify([record, device, target, options])
    const fitted = { rewrite, key }
    fittings.set(route, fitted)
    return fitted
  }

  function forward(way: Way): Passage {
    const { rewrite, key } = fitRoute(way.route)
    return {
      kind: 'forward',
      // A stream is ended with the session that opened it, so another session does not ride on it.
      key: `${key}${way.session ?? ''}`,
      rewrite,
      upstream: { open: (flow, signal) => parts.openFlow(way, flow, signal) },
      onEnd: record => parts.onFlowEnd(way.route, record),
    }
  }

  function enterRecord(route: Route, head: RequestHead, visitor: Visitor): Passage {
    const { gate } = parts.settings()
    if (gate === null) return { kind: 'page', code: 'unavailable' }
    const decision = decideAccess(gate, route, asGateRequest(head))
    if (decision.kind === 'pass') {
      if (isLooping(head.fields)) return { kind: 'page', code: 'loop' }
      const { session } = decision
      return forward({ key: head.authority.host, route, session, address: visitor.address })
    }
    if (decision.kind === 'redirect') {
      return redirect(decision.status, decision.location, decision.cookie)
    }
    if (decision.code === 'not_signed_in') return answerProblem('not_signed_in', head, visitor)
    return { kind: 'page', code: decision.code }
  }

  function enterName(resolution: Resolution, head: RequestHead, visitor: Visitor): Passage {
    if (resolution.allow) {
      if (resolution.route.kind !== 'http') return refuseName(head, visitor)
      return enterRecord(resolution.route, head, visitor)
    }
    switch (resolution.code) {
      case 'unavailable':
      case 'busy':
      case 'device_paused':
        return { kind: 'page', code: resolution.code }
      case 'unknown_name':
      case 'record_disabled':
        return refuseName(head, visitor)
    }
  }

  // A name that is switched off answers like one that never was: a stranger learns nothing.
  function refuseName(head: RequestHead, visitor: Visitor): Passage {
    if (!isPageLoad(asGateRequest(head))) return answerProblem('unknown_name', head, visitor)
    const { consoleUrl } = parts.settings()
    return redirect(302, unknownNameLocation(consoleUrl, head.authority.host), null)
  }

  function enterConsole(head: RequestHead, visitor: Visitor): Passage {
    if (head.target === LINK_PATH) {
      if (!asksForLink(head)) return answerProblem('upgrade_refused', head, visitor)
      return { kind: 'takeover', take: parts.takeLink(visitor) }
    }
    if (parts.isServerSilent()) return { kind: 'page', code: 'unavailable' }
    return {
      kind: 'forward',
      key: 'console',
      isOurs: true,
      rewrite: consoleRewrite,
      upstream: { open: (_, signal) => openServer(parts.serverAddress, signal) },
    }
  }

  return (head, visitor) => {
    const where = readHostTarget(head.authority.host, parts.settings().rules)
    if (where.kind === 'console') return enterConsole(head, visitor)
    if (where.kind === 'other') return refuseName(head, visitor)
    if (head.target.startsWith(gatePrefix) || head.target === gatePrefix.slice(0, -1)) {
      return answerProblem('unknown_name', head, visitor)
    }
    const resolution = parts.resolver.resolve({ kind: 'host', host: where.host })
    if (!(resolution instanceof Promise)) return enterName(resolution, head, visitor)
    return resolution.then(late => enterName(late, head, visitor))
  }
}

function openServer(address: ServerAddress, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ ...address, allowHalfOpen: true, noDelay: true, signal })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

const isField = (name: string) => (field: Field) => field.name === name

function readHeader(head: RequestHead, name: string): string | undefined {
  const fields = head.fields.filter(isField(name))
  if (fields.length === 0) return undefined
  return fields.map(field => field.value).join(name === 'cookie' ? '; ' : ', ')
}

const asGateRequest = (head: RequestHead): GateRequest => ({
  method: head.method,
  path: head.target,
  authority: head.authority.text,
  isUpgrade: head.upgrade !== null,
  header: name => readHeader(head, name),
})

function redirect(status: number, location: string, cookie: string | null): Passage {
  const headers: [string, string][] = [
    ['Location', location],
    ['Cache-Control', 'no-store'],
    // The address in `url` and the ticket's place in the history are nobody else's business.
    ['Referrer-Policy', 'no-referrer'],
  ]
  if (cookie !== null) headers.push(['Set-Cookie', cookie])
  return { kind: 'answer', response: { status, headers, body: '' } }
}

/** A problem document whatever the visitor accepts: scripts and forms are told, never led elsewhere. */
function answerProblem(
  code: 'unknown_name' | 'not_signed_in' | 'upgrade_refused',
  head: RequestHead,
  visitor: Visitor,
): Passage {
  const response: DoorResponse = renderPage(code, {
    accept: null,
    acceptLanguage: readHeader(head, 'accept-language') ?? null,
    host: head.authority.host,
    requestId: visitor.flow,
  })
  return { kind: 'answer', response }
}
