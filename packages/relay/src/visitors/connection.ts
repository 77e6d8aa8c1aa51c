import type { Socket } from 'node:net'
import { writePacked } from '@homeport/tunnel'
import { cutStream } from '../carry/cut.ts'
import { type Holder, weightOf } from '../carry/held-budget.ts'
import { holdStream } from '../carry/held-bytes.ts'
import { takeTicket } from '../gate/ticket-query.ts'
import type { PageCode } from '../pages/kinds.ts'
import { type DoorResponse, renderPage } from '../pages/render.ts'
import type { Connection, DoorContext } from './context.ts'
import { findField } from './field-lines.ts'
import { createForwarding, type Forward, type Front } from './forwarding.ts'
import { createHeadReader } from './head-reader.ts'
import type { Passage, Visitor } from './passage.ts'
import { describeOrigin, describePeer, type Origin, type Source } from './proxy-trust.ts'
import { Refusal } from './refusal.ts'
import { parseRequestHead, type RequestHead } from './request-head.ts'
import { writeAnswer } from './write-answer.ts'

/**
 * Where a connection stands. `reading` is between requests or inside a head, `lingering` reads away what the visitor still sends
 * after the last response, `left` is final.
 */
type Phase = 'reading' | 'deciding' | 'forwarding' | 'lingering' | 'left'

/** The request that is being served. */
interface Current {
  readonly head: RequestHead
  readonly visitor: Visitor
  readonly origin: Origin
  readonly startedAt: number
  /** What the head costs. */
  readonly heldBytes: number
}

const nothing = Buffer.alloc(0)

/** A head of more than this that comes in pieces is no browser's. */
const usualHeadBytes = 16 * 1024
/** Who has not asked for anything yet makes room first: a head under way weighs more than bytes that are carried, a long one more than all. */
const startedHeadFactor = { usual: 16, long: 1_000_000 }
/** The head of a request that is served stands still as long as the answer lasts, which may be hours; it weighs no more than after this. */
const servedHeadMs = 1_000
/** A header line as an object with its texts, beside the text they are parts of. */
const fieldBytes = 160
const startedHead = (bytes: number): number =>
  bytes * startedHeadFactor[bytes > usualHeadBytes ? 'long' : 'usual']
/** What a head costs as long as its request is served: names are copied in lower case. */
const headBytes = ({ fields }: RequestHead): number => {
  let bytes = 0
  for (const { line, name } of fields) bytes += line.length + name.length + fieldBytes
  return bytes
}

/** Serves one socket from its first moment to its last. */
export function serveConnection(context: DoorContext, socket: Socket, source: Source): Connection {
  const { limits } = context
  const peer = describePeer(socket, source)
  const reader = createHeadReader(limits, 'request')
  let phase: Phase = 'reading'
  let deadline = context.now() + limits.idleMs
  let held: Buffer | null = null
  let isAdvancing = false
  let isHalfClosed = false
  let isRetired = false
  let current: Current | null = null
  const visitor = holdStream(socket)
  /** Clock ms at which what the visitor sent, and what is sent to it, last began to wait. */
  let upAt = context.now()
  let downAt = upAt

  const heldHead = () => current?.heldBytes ?? 0
  const heldUp = () => (held?.buffer.byteLength ?? 0) + visitor.pausedBytes() + forwarding.heldUp()
  const heldDown = () => visitor.queuedBytes() + forwarding.heldDown()
  const holder: Holder = {
    heldBytes: () => reader.heldBytes() + heldHead() + heldUp() + heldDown(),
    weight: now =>
      weightOf(startedHead(reader.heldBytes()), upAt, now) +
      weightOf(heldHead(), upAt, now, servedHeadMs) +
      weightOf(heldUp(), upAt, now) +
      weightOf(heldDown(), downAt, now),
    cut: () => cut(),
  }

  const allow = (ms: number) => {
    deadline = context.now() + ms
  }

  const mustClose = () => isHalfClosed || isRetired || current?.head.isPersistent !== true

  /** Keeps one read at most: a paused socket delivers no more. */
  const hold = (chunk: Buffer) => {
    held = held === null ? chunk : Buffer.concat([held, chunk])
    socket.pause()
  }

  /** Serves what is held until something has to be waited for. A loop: pipelined requests must not deepen the stack. */
  const advance = () => {
    if (isAdvancing) return
    isAdvancing = true
    while (phase === 'reading' && held !== null) {
      // A visitor who asks and does not read gets no further answers into memory.
      if (socket.writableNeedDrain) break
      const chunk: Buffer = held
      held = null
      readHead(chunk)
    }
    isAdvancing = false
    if (held !== null) socket.pause()
    else if (phase === 'reading' && socket.isPaused()) socket.resume()
  }

  const readHead = (chunk: Buffer) => {
    const wasStarted = reader.isStarted()
    let head: RequestHead
    try {
      const text = reader.read(chunk)
      if (text === null) {
        if (!wasStarted) {
          allow(limits.headMs)
          upAt = context.now()
        }
        return
      }
      held = reader.takeRest()
      head = parseRequestHead(text, limits)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return refuseUnread(error, chunk)
    }
    serve(head)
  }

  const serve = (head: RequestHead) => {
    const origin = describeOrigin(peer, head, context.isTrusted)
    const asking: Visitor = {
      address: origin.address,
      port: peer.port,
      isSecure: origin.isSecure,
      serverName: peer.serverName,
      flow: context.nextFlow(),
    }
    upAt = context.now()
    const asked: Current = {
      head,
      visitor: asking,
      origin,
      startedAt: upAt,
      heldBytes: headBytes(head),
    }
    current = asked
    context.counters.requests += 1
    let passage: Passage | Promise<Passage>
    try {
      passage = context.resolve(head, asking)
    } catch (error) {
      return fault(error)
    }
    if (passage instanceof Promise) wait(asked, passage)
    else follow(asked, passage)
  }

  const wait = (asked: Current, passage: Promise<Passage>) => {
    const isStillAsked = () => phase === 'deciding' && current === asked
    phase = 'deciding'
    allow(limits.decideMs)
    context.counters.waiting += 1
    passage
      .finally(() => {
        context.counters.waiting -= 1
      })
      .then(
        decided => {
          if (isStillAsked()) follow(asked, decided)
        },
        error => {
          if (isStillAsked()) fault(error)
        },
      )
    if (context.counters.waiting > limits.waitingRequests) page('busy')
  }

  /** Before each write to the visitor: what waits for it already has waited for longer. */
  const markDown = () => {
    if (socket.writableLength === 0) downAt = context.now()
  }

  const send = (bytes: Buffer) => {
    markDown()
    socket.write(bytes)
  }

  const fault = (error: unknown) => {
    context.log.error({ err: error, flow: current?.visitor.flow }, 'a decision failed')
    page('internal')
  }

  const follow = (asked: Current, passage: Passage) => {
    switch (passage.kind) {
      case 'answer':
        return answer(passage.response)
      case 'page':
        return page(passage.code)
      case 'takeover': {
        const rest = held ?? nothing
        release()
        forget()
        return passage.take(socket, asked.head, rest)
      }
      case 'forward':
        return forward(asked, passage)
    }
  }

  const forward = (asked: Current, passage: Forward) => {
    const { upgrade } = asked.head
    if (upgrade !== null && !isWebSocket(asked.head)) return page('upgrade_refused')
    phase = 'forwarding'
    forwarding.start({ ...asked, passage })
  }

  const page = (code: PageCode) => {
    const head = current?.head
    const fields = head?.fields ?? []
    answer(
      renderPage(code, {
        accept: findField(fields, 'accept'),
        acceptLanguage: findField(fields, 'accept-language'),
        host: head?.authority.host ?? null,
        // A ticket works once at most: trying again with it would show the same page again.
        retryPath: head === undefined ? null : takeTicket(head.target).cleanPath,
        requestId: current?.visitor.flow ?? context.nextFlow(),
      }),
    )
  }

  const answer = (response: DoorResponse) => {
    const head = current?.head
    // A body that nobody will read cannot be told from the next request except by reading it: the connection ends instead.
    const closes = mustClose() || head?.framing.kind !== 'none'
    let bytes: Buffer
    try {
      bytes = writeAnswer(response, {
        method: head?.method ?? 'GET',
        closes,
        isSecure: current?.origin.isSecure ?? peer.isSecure,
      })
    } catch (error) {
      return fault(error) // ends there: pages of our own are always writable
    }
    send(bytes)
    done(closes)
    holding.count()
  }

  /** Answers bytes that are no request. Nothing after them can be trusted to begin one, so the connection ends. */
  const refuseUnread = (refusal: Refusal, chunk: Buffer) => {
    context.counters.refused += 1
    current = null
    const requestId = context.nextFlow()
    const facts = { reason: refusal.message, peer: peer.address, flow: requestId }
    context.log.debug(facts, 'refused a request')
    const accept = chunk.includes('text/html') ? 'text/html' : null
    const place = { accept, acceptLanguage: null, host: null, requestId }
    const { isSecure } = peer
    const page = renderPage(refusal.code, place)
    send(writeAnswer(page, { method: 'GET', closes: true, isSecure }))
    close()
  }

  const done = (closes: boolean) => {
    if (closes || mustClose()) return close()
    phase = 'reading'
    current = null
    allow(limits.idleMs)
    advance()
  }

  /** RFC 9112 §9.6: half-close, then read on for a while, because a reset could overtake the response. */
  const close = () => {
    phase = 'lingering'
    held = null
    forwarding.drop('done')
    allow(limits.lingerMs)
    socket.end()
    socket.resume()
  }

  const forget = () => {
    deadline = Number.POSITIVE_INFINITY
    holding.leave()
    context.release(connection)
  }

  const cut = () => {
    phase = 'left'
    held = null
    forwarding.drop('visitor_gone')
    forget()
    cutStream(socket)
  }

  const onData = (chunk: Buffer) => {
    if (phase === 'lingering') return
    take(chunk)
    holding.count()
  }

  const take = (chunk: Buffer) => {
    if (phase === 'forwarding' && forwarding.takesBody()) return forwarding.body(chunk)
    if (phase !== 'reading' || held !== null) return hold(chunk)
    held = chunk
    advance()
  }

  const onEnd = () => {
    isHalfClosed = true
    if (phase === 'reading') close()
    else if (phase === 'forwarding' && forwarding.takesBody()) cut()
    // Who half-closes may still read, but most have gone: a silent response is not kept open long for them.
    else if (phase === 'forwarding') allow(limits.requestIdleMs)
  }

  const onDrain = () => {
    if (phase === 'forwarding') forwarding.visitorDrained()
    else advance()
  }

  const onClose = () => {
    if (phase === 'left') return
    phase = 'left'
    forwarding.drop('visitor_gone')
    forget()
  }

  // Every error is followed by 'close', which is where it is dealt with.
  const onError = () => undefined

  const release = () => {
    phase = 'left'
    deadline = Number.POSITIVE_INFINITY
    holding.leave()
    held = null
    forwarding.drop('done')
    socket.pause()
    socket.off('data', onData).off('end', onEnd).off('drain', onDrain)
    return socket.off('close', onClose).off('error', onError)
  }

  const front: Front = {
    write(bytes) {
      markDown()
      return writePacked(socket, bytes, onDrain)
    },
    waits() {
      upAt = context.now()
    },
    moved: () => holding.count(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    allow,
    mustClose,
    takeHeld() {
      const taken = held
      held = null
      return taken
    },
    hold,
    done,
    page,
    cut,
    release,
    forget,
  }
  const forwarding = createForwarding(context, front)
  const holding = context.held.join(holder)

  const connection: Connection = {
    deadline: () => deadline,
    timedOut() {
      if (phase === 'forwarding') forwarding.timedOut()
      else if (phase === 'deciding') page('unavailable')
      else if (phase === 'lingering') cut()
      else if (reader.isStarted()) {
        refuseUnread(new Refusal('request_timeout', 'slow head'), nothing)
      } else close()
    },
    isIdle: () => phase === 'reading',
    retire() {
      isRetired = true
      if (phase === 'reading' && !reader.isStarted()) close()
    },
    destroy: cut,
  }

  socket.on('data', onData).on('end', onEnd).on('drain', onDrain)
  socket.on('close', onClose).on('error', onError)
  return connection
}

/** RFC 6455 §4.2.1: a GET of 1.1 without a body. `Upgrade: h2c` and the like would carry requests past the door unseen. */
const isWebSocket = (head: RequestHead) =>
  head.upgrade === 'websocket' && head.method === 'GET' && head.framing.kind === 'none'
