import type { Socket } from 'node:net'
import type { FlowEnd } from '../carry/flow-record.ts'
import { joinStreams } from '../carry/join.ts'
import type { PageCode } from '../pages/kinds.ts'
import { pageOfOpenFailure } from '../pages/tunnel-errors.ts'
import type { DoorContext } from './context.ts'
import { createExchange, type Exchange, type ExchangeHost, isRepeatable } from './exchange.ts'
import { createLink, type Link } from './link.ts'
import type { Passage, Visitor } from './passage.ts'
import type { Origin } from './proxy-trust.ts'
import { Refusal } from './refusal.ts'
import type { RequestHead } from './request-head.ts'
import { publicOrigin, writeRequestHead } from './write-request.ts'

/** A passage that leads to a target. */
export type Forward = Passage & { kind: 'forward' }

/** One request on its way to a target. */
export interface Errand {
  readonly head: RequestHead
  readonly visitor: Visitor
  readonly origin: Origin
  readonly passage: Forward
  /** Clock ms. */
  readonly startedAt: number
}

/** The visitor's side of a connection, as forwarding uses it. */
export interface Front {
  write(bytes: Buffer | string): boolean
  /** What waits for the target begins to wait now. */
  waits(): void
  /** More may be held now than before. */
  moved(): void
  pause(): void
  resume(): void
  /** Restarts the one time-out of the connection. */
  allow(ms: number): void
  /** The connection ends with this response, whatever the target says. */
  mustClose(): boolean
  /** Bytes that were read and belong to no request yet. */
  takeHeld(): Buffer | null
  hold(bytes: Buffer): void
  /** The response is complete. */
  done(closes: boolean): void
  /** Nothing was sent: a page of our own answers. */
  page(code: PageCode): void
  /** A part was sent: only cutting the connection tells that it is not whole. */
  cut(): void
  /** Gives the socket away, still counted by the door until `forget`. */
  release(): Socket
  forget(): void
}

/** The upstream side of a connection: at most one request, and at most one stream kept for the next. */
export interface Forwarding {
  start(errand: Errand): void
  /** True while bytes of the visitor belong to the request's body. */
  takesBody(): boolean
  /** What waits for the target, or has come from it and is not read yet. */
  heldUp(): number
  heldDown(): number
  body(chunk: Buffer): void
  visitorDrained(): void
  timedOut(): void
  /** Ends everything; `end` is what the flow's record says where a request was on its way. */
  drop(end: FlowEnd): void
}

/** What tells of somebody's target; where the target is our own server, it is our server that is not there. */
const targetFaults = new Set<PageCode>([
  'target_failed',
  'target_silent',
  'device_silent',
  'bad_response',
])

/** Makes the upstream side of one connection. */
export function createForwarding(context: DoorContext, front: Front): Forwarding {
  const { limits } = context
  let errand: Errand | null = null
  let exchange: Exchange | null = null
  let kept: Link | null = null
  let opening: AbortController | null = null

  const mayReuse = (link: Link, { passage, head }: Errand) =>
    link.key === passage.key &&
    link.isUsable() &&
    // The target may be closing the stream just now. What cannot be sent twice does not take that risk after a pause.
    (isRepeatable(head) || context.now() - (link.servedAt ?? 0) <= limits.keptFreshMs)

  const endOpening = () => {
    if (opening === null) return
    opening = null
    context.counters.waiting -= 1
  }

  const open = (job: Errand) => {
    const attempt = new AbortController()
    opening = attempt
    context.counters.waiting += 1
    front.allow(limits.openMs)
    job.passage.upstream.open(job.visitor.flow, attempt.signal).then(
      stream => {
        if (opening === attempt) {
          endOpening()
          begin(job, createLink(stream, job.passage.key, limits))
        } else {
          stream.on('error', () => undefined)
          stream.destroy()
        }
      },
      error => {
        if (opening !== attempt) return
        endOpening()
        const facts = { err: error, flow: job.visitor.flow }
        context.log.debug(facts, 'no stream to the target')
        refuse(pageOfOpenFailure(error), 'refused')
      },
    )
  }

  const begin = (job: Errand, link: Link) => {
    const { head, visitor, origin, passage } = job
    kept = link
    const place = {
      origin: publicOrigin(head, origin.isSecure),
      host: head.authority.host,
      isOurs: passage.isOurs === true,
    }
    const carrying = createExchange(host, link, head, passage.rewrite, place)
    exchange = carrying
    // The target may have hung up while the stream was on its way here.
    if (!link.isUsable()) return link.user?.closed()
    const text = writeRequestHead(head, passage.rewrite, { ...origin, flow: visitor.flow })
    send(carrying, () => carrying.start(text, front.takeHeld()))
    if (exchange === carrying && takesBody() && !link.stream.writableNeedDrain) front.resume()
    front.moved()
  }

  /** Body bytes with broken framing end the request; what was sent of it stays incomplete for the target. */
  const send = (carrying: Exchange, write: () => Buffer | null) => {
    try {
      const rest = write()
      if (rest !== null) front.hold(rest)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      context.counters.refused += 1
      context.log.debug({ reason: error.message, flow: errand?.visitor.flow }, 'broken body')
      const hasAnswered = carrying.hasAnswered()
      dropLink()
      if (hasAnswered) cut('refused')
      else refuse(error.code, 'refused')
    }
  }

  const dropLink = () => {
    const link = kept
    kept = null
    if (link === null) return
    link.user = null
    link.stream.destroy()
  }

  const report = (end: FlowEnd) => {
    const job = errand
    const carried = exchange
    errand = null
    exchange = null
    if (job === null) return
    job.passage.onEnd?.({
      flow: job.visitor.flow,
      bytesUp: carried?.bytesUp() ?? 0,
      bytesDown: carried?.bytesDown() ?? 0,
      durationMs: Math.round(context.now() - job.startedAt),
      end,
    })
  }

  const refuse = (code: PageCode, end: FlowEnd) => {
    const isOurs = errand?.passage.isOurs === true
    report(end)
    front.page(isOurs && targetFaults.has(code) ? 'unavailable' : code)
  }

  const cut = (end: FlowEnd) => {
    report(end)
    front.cut()
  }

  const takesBody = () => exchange !== null && !exchange.isRequestDone()

  const host: ExchangeHost = {
    limits,
    write: front.write,
    waits: front.waits,
    moved: front.moved,
    pauseVisitor: front.pause,
    resumeVisitor: front.resume,
    allow: front.allow,
    mustClose: front.mustClose,
    finished({ keepsLink, closes }) {
      if (!keepsLink) kept = null
      else if (kept?.isUsable()) kept.servedAt = context.now()
      else dropLink()
      report('done')
      front.done(closes)
    },
    failed(refusal, end) {
      const job = errand
      const mayRepeat = kept?.servedAt != null && exchange?.isRepeatable() === true
      kept = null
      if (job !== null && mayRepeat && end === 'target_gone') {
        // RFC 9112 §9.3.1: the stream was kept and died before a byte of an answer; asking again is safe.
        exchange = null
        return open(job)
      }
      const facts = { reason: refusal.message, flow: job?.visitor.flow }
      context.log.debug(facts, 'the target failed')
      refuse(refusal.code, end)
    },
    aborted: cut,
    switched(fromTarget) {
      const job = errand
      const carried = exchange
      const link = kept
      if (job === null || carried === null || link === null) return
      errand = null
      exchange = null
      kept = null
      const fromVisitor = front.takeHeld()
      joinStreams({
        flow: job.visitor.flow,
        visitor: front.release(),
        target: link.release(),
        fromVisitor,
        fromTarget,
        idleMs: limits.joinedIdleMs,
        clock: context.clock,
        held: context.held,
        onEnd: record => {
          front.forget()
          job.passage.onEnd?.({
            ...record,
            bytesUp: record.bytesUp + carried.bytesUp(),
            // The first bytes behind the 101 came with it and are counted already.
            bytesDown: record.bytesDown + carried.bytesDown() - (fromTarget?.length ?? 0),
          })
        },
      })
    },
  }

  return {
    start(job) {
      errand = job
      if (kept !== null && mayReuse(kept, job)) return begin(job, kept)
      dropLink()
      if (job.passage.isOurs || context.counters.waiting < limits.waitingRequests) open(job)
      else refuse('busy', 'refused')
    },
    takesBody,
    heldUp: () => kept?.held.queuedBytes() ?? 0,
    heldDown: () => (kept === null ? 0 : kept.held.pausedBytes() + kept.reader.heldBytes()),
    body(chunk) {
      const carrying = exchange
      if (carrying !== null) send(carrying, () => carrying.visitorData(chunk))
    },
    visitorDrained: () => exchange?.visitorDrained(),
    timedOut() {
      if (opening === null) return exchange?.timedOut()
      opening.abort()
      endOpening()
      refuse('device_silent', 'timed_out')
    },
    drop(end) {
      opening?.abort()
      endOpening()
      dropLink()
      report(end)
    },
  }
}
