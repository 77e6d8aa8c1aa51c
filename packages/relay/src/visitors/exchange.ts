import { writePacked } from '@homeport/tunnel'
import type { FlowEnd } from '../carry/flow-record.ts'
import type { PageCode } from '../pages/kinds.ts'
import { pageOfOpenFailure } from '../pages/tunnel-errors.ts'
import { createBodyScan } from './body.ts'
import type { BodyScan } from './framing.ts'
import type { HeadRewrite } from './head-rewrite.ts'
import type { DoorLimits } from './limits.ts'
import type { Link, LinkUser } from './link.ts'
import { Refusal } from './refusal.ts'
import type { RequestHead } from './request-head.ts'
import { parseResponseHead, type ResponseHead } from './response-head.ts'
import { type PublicPlace, writeResponseHead } from './write-response.ts'

/** What an exchange asks of the visitor's connection. */
export interface ExchangeHost {
  readonly limits: DoorLimits
  /** False where the visitor takes no more for now; `visitorDrained` follows. */
  write(bytes: Buffer | string): boolean
  /** What waits for the target begins to wait now. */
  waits(): void
  /** Something came from the target and was dealt with: more may be held now. */
  moved(): void
  pauseVisitor(): void
  resumeVisitor(): void
  /** Restarts the one time-out of the connection. */
  allow(ms: number): void
  /** The connection cannot outlive this response whatever the target says. */
  mustClose(): boolean
  finished(result: { readonly keepsLink: boolean; readonly closes: boolean }): void
  /** Nothing has been sent to the visitor: a page can be. */
  failed(refusal: Refusal, end: FlowEnd): void
  /** Part of a response has been sent: only cutting the connection tells the visitor that it is not whole. */
  aborted(end: FlowEnd): void
  switched(fromTarget: Buffer | null): void
}

/** One request and its response on one upstream stream. */
export interface Exchange {
  /** Bytes written to and read from the target, heads included. */
  bytesUp(): number
  bytesDown(): number
  /** Sends the head with what is there of the body in one write; returns what belongs to later requests. */
  start(headText: string, first: Buffer | null): Buffer | null
  /** Takes body bytes; returns what belongs to later requests. */
  visitorData(chunk: Buffer): Buffer | null
  visitorDrained(): void
  timedOut(): void
  isRequestDone(): boolean
  /** Part of a final response has gone to the visitor. */
  hasAnswered(): boolean
  isRepeatable(): boolean
}

/** RFC 9110 §9.2.2. */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PROPFIND', 'REPORT'])

/** True for a request that may be sent a second time when a kept stream turns out to be dead. */
export const isRepeatable = (head: RequestHead) =>
  head.framing.kind === 'none' && head.upgrade === null && idempotent.has(head.method)

/** Begins to carry `head` over `link`. */
export function createExchange(
  host: ExchangeHost,
  link: Link,
  head: RequestHead,
  rewrite: HeadRewrite,
  place: PublicPlace,
): Exchange {
  const { limits } = host
  const { stream, reader } = link
  const requestBody = createBodyScan(head.framing, limits)
  // Without its fields, which may be 64 KiB: they are written and done with.
  let response: Pick<ResponseHead, 'framing' | 'isPersistent'> | null = null
  let responseBody: BodyScan | null = null
  let closes = false
  let interims = 0
  let bytesUp = 0
  let bytesDown = 0

  const leave = () => {
    link.user = null
  }

  /** Something moved: the wait that is on begins again. */
  const progress = () => {
    // The step just taken may have been the last one; the wait is another's then.
    if (link.user !== user) return
    if (response !== null) host.allow(limits.responseIdleMs)
    else host.allow(requestBody.isDone() ? limits.responseHeadMs : limits.requestIdleMs)
  }

  const fail = (code: PageCode, reason: string) => {
    leave()
    stream.destroy()
    if (response === null) host.failed(new Refusal(code, reason), 'target_gone')
    else host.aborted('target_gone')
  }

  const finish = (excess: boolean) => {
    leave()
    const keepsLink = !excess && response?.isPersistent === true && requestBody.isDone()
    if (!keepsLink) stream.destroy()
    host.finished({ keepsLink, closes: closes || !requestBody.isDone() })
  }

  const onTaken = () => {
    if (link.user === user) user.drained()
  }

  const sendUp = (bytes: Buffer | string) => {
    bytesUp += bytes.length
    if (stream.writableLength === 0) host.waits()
    if (!writePacked(stream, bytes, onTaken) && !requestBody.isDone()) host.pauseVisitor()
    progress()
  }

  /** Writes the part of `chunk` that the body takes, behind `headText` where there is one. */
  const pass = (body: BodyScan, headText: string | null, chunk: Buffer | null) => {
    const taken = chunk === null ? 0 : body.take(chunk)
    const flows = host.write(join(headText, chunk, taken))
    if (body.isDone()) return finish(chunk !== null && taken < chunk.length)
    if (!flows) stream.pause()
  }

  const begin = (final: ResponseHead, rest: Buffer | null) => {
    const body = createBodyScan(final.framing, limits)
    response = { framing: final.framing, isPersistent: final.isPersistent }
    responseBody = body
    // An answer that overtook its request (413, 401): the connection cannot be told apart from a body that goes on.
    closes = host.mustClose() || final.framing.kind === 'close' || !requestBody.isDone()
    const text = writeResponseHead(final, rewrite, place, closes ? 'close' : null)
    pass(body, text, rest)
  }

  const readHeads = (chunk: Buffer) => {
    let next: Buffer | null = chunk
    while (next !== null) {
      const text = reader.read(next)
      if (text === null) return
      next = reader.takeRest()
      const answer = parseResponseHead(text, head.method, limits)
      if (answer.status === 101) return switchOver(answer, next)
      if (answer.status >= 200) return begin(answer, next)
      if (++interims > limits.interimCount) throw new Refusal('bad_response', 'too many 1xx')
      // RFC 9110 §15.2: a 1.0 client must not be sent one.
      if (head.minorVersion === 1) {
        host.write(writeResponseHead(answer, rewrite, place, null))
      }
    }
  }

  const switchOver = (answer: ResponseHead, rest: Buffer | null) => {
    if (head.upgrade !== 'websocket' || answer.upgrade !== 'websocket') {
      throw new Refusal('bad_response', '101 that was not asked for')
    }
    leave()
    response = { framing: answer.framing, isPersistent: answer.isPersistent }
    host.write(writeResponseHead(answer, rewrite, place, 'Upgrade'))
    host.switched(rest)
  }

  const user: LinkUser = {
    data(chunk) {
      bytesDown += chunk.length
      try {
        if (responseBody === null) readHeads(chunk)
        else pass(responseBody, null, chunk)
        progress()
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        fail('bad_response', error.message)
      }
      host.moved()
    },
    ended() {
      if (response?.framing.kind === 'close') finish(false)
      else fail('target_failed', 'the target ended early')
    },
    closed(cause) {
      // Was it the target, or the device with it?
      fail(pageOfOpenFailure(cause), 'the stream to the target broke')
    },
    drained() {
      progress()
      if (!requestBody.isDone()) host.resumeVisitor()
    },
  }

  const takeBody = (headText: string | null, chunk: Buffer | null) => {
    // A switched protocol begins with the 101, not before: until then these bytes wait.
    const taken = chunk === null ? 0 : requestBody.take(chunk)
    sendUp(join(headText, chunk, taken))
    return chunk !== null && taken < chunk.length ? chunk.subarray(taken) : null
  }

  link.user = user
  return {
    bytesUp: () => bytesUp,
    bytesDown: () => bytesDown,
    start: takeBody,
    visitorData: chunk => takeBody(null, chunk),
    visitorDrained() {
      progress()
      stream.resume()
    },
    timedOut() {
      leave()
      const isBlocked = requestBody.isDone() || stream.writableNeedDrain
      stream.destroy()
      if (response !== null) host.aborted('timed_out')
      else {
        const code = isBlocked ? 'target_silent' : 'request_timeout'
        host.failed(new Refusal(code, 'no progress'), 'timed_out')
      }
    },
    isRequestDone: () => requestBody.isDone(),
    hasAnswered: () => response !== null,
    isRepeatable: () => bytesDown === 0 && isRepeatable(head),
  }
}

/** One buffer (or text) for a head and the body bytes that came with it: one write costs less than two. */
function join(headText: string | null, chunk: Buffer | null, taken: number): Buffer | string {
  if (headText === null) {
    return chunk === null ? '' : taken === chunk.length ? chunk : chunk.subarray(0, taken)
  }
  if (chunk === null || taken === 0) return headText
  const bytes = Buffer.allocUnsafe(headText.length + taken)
  bytes.write(headText, 'latin1')
  chunk.copy(bytes, headText.length, 0, taken)
  return bytes
}
