import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { createBodyScan } from '../../packages/relay/src/visitors/body.ts'
import { createHeadReader } from '../../packages/relay/src/visitors/head-reader.ts'
import { createHeadRewrite } from '../../packages/relay/src/visitors/head-rewrite.ts'
import { doorLimits } from '../../packages/relay/src/visitors/limits.ts'
import { Refusal } from '../../packages/relay/src/visitors/refusal.ts'
import {
  parseRequestHead,
  type RequestHead,
} from '../../packages/relay/src/visitors/request-head.ts'
import {
  parseResponseHead,
  type ResponseHead,
} from '../../packages/relay/src/visitors/response-head.ts'
import { writeRequestHead } from '../../packages/relay/src/visitors/write-request.ts'
import { split } from './bytes.ts'
import { makeChunks, makeRequests, makeResponses } from './http-bytes.ts'
import { createNodeReader, readResponse, type SeenRequest } from './node-reader.ts'
import type { FuzzTarget } from './run.ts'

/** A message as the door read it; `isWhole` once its body has ended. */
interface Read<Head> {
  head: Head
  bodyBytes: number
  isWhole: boolean
}

interface Reading<Head> {
  messages: Read<Head>[]
  isRefused: boolean
}

type Framed = Pick<RequestHead | ResponseHead, 'framing' | 'isPersistent' | 'upgrade'>

/** Reads pieces the way a connection of the door does: head, body by its framing, next head. Only refusals may be thrown. */
function readMessages<Head extends Framed>(
  pieces: readonly Buffer[],
  side: 'request' | 'response',
  parse: (text: string) => Head,
): Reading<Head> {
  const reader = createHeadReader(doorLimits, side)
  const messages: Read<Head>[] = []
  let scan: ReturnType<typeof createBodyScan> | null = null
  try {
    for (const piece of pieces) {
      let bytes: Buffer | null = piece
      while (bytes !== null && bytes.length > 0) {
        const last = messages.at(-1)
        if (scan === null || last === undefined) {
          // What follows the last message of a connection, or a switch of protocols, is none of the parser's business.
          if (last !== undefined && (!last.head.isPersistent || last.head.upgrade !== null)) {
            return { messages, isRefused: false }
          }
          const text = reader.read(bytes)
          if (text === null) break
          bytes = reader.takeRest()
          const head = parse(text)
          scan = createBodyScan(head.framing, doorLimits)
          messages.push({ head, bodyBytes: 0, isWhole: scan.isDone() })
        } else {
          const taken = scan.take(bytes)
          last.bodyBytes += taken
          last.isWhole = scan.isDone()
          bytes = bytes.subarray(taken)
        }
        if (scan.isDone()) scan = null
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // How much of a broken body was let through before its fault depends on how it was cut.
    const last = messages.at(-1)
    if (last !== undefined && !last.isWhole) last.bodyBytes = 0
    return { messages, isRefused: true }
  }
  return { messages, isRefused: false }
}

const parseRequest = (text: string) => parseRequestHead(text, doorLimits)
const nodeReader = createNodeReader()
const rewrite = createHeadRewrite({ hostHeader: 'target', target: 'http://192.168.1.1:81' })
const facts = { chain: '192.0.2.1', address: '192.0.2.1', isSecure: true, flow: 'f' }
/** The last request of every connection: whoever finds the end of a body elsewhere does not see it, or sees another. */
const sentinel = Buffer.from('GET /sentinel HTTP/1.1\r\nHost: nas.example\r\n\r\n')

/** Every message that the door took must mean the same to node, or node must have refused at that point. */
function compare(reading: Reading<RequestHead>, seen: readonly SeenRequest[]): void {
  for (const [at, { head, bodyBytes, isWhole }] of reading.messages.entries()) {
    const other = seen[at]
    if (other === undefined) return
    strictEqual(other.method, head.method)
    const path = other.target.replace(/^https?:\/\/[^/?]*\/?/i, '/')
    strictEqual(other.target === '*' ? '*' : path, head.target.replace(/^\/\?/, '/?'))
    deepStrictEqual(
      other.fields,
      head.fields.map(({ name, value }) => [name, value]),
    )
    if (head.framing.kind === 'length' && isWhole) strictEqual(other.bodyBytes, bodyBytes)
    if (head.framing.kind === 'none') strictEqual(other.bodyBytes, 0)
  }
  if (reading.isRefused) return
  ok(seen.length <= reading.messages.length, 'another reader finds more requests')
}

/** What goes on to the target is read by both as the one request that it is. */
async function checkWritten({ head }: Read<RequestHead>): Promise<void> {
  const written = writeRequestHead(head, rewrite, facts)
  const limits = {
    ...doorLimits,
    requestLineBytes: 2 ** 20,
    fieldLineBytes: 2 ** 20,
    fieldCount: 200,
  }
  const again = parseRequestHead(written.slice(0, -2), limits)
  deepStrictEqual([again.method, again.framing], [head.method, head.framing])
  strictEqual(again.authority.text, '192.168.1.1:81')
  ok(again.fields.every(({ name, value }) => name !== 'cookie' || !/(^|;)\s*hp_gate=/.test(value)))
  const seen = await nodeReader.read(Buffer.from(written, 'latin1'))
  ok(seen.length <= 1)
  for (const other of seen)
    deepStrictEqual([other.method, other.target], [again.method, again.target])
}

const requestTarget: FuzzTarget = {
  name: 'requests',
  make: makeRequests,
  async check(input, random) {
    const bytes = Buffer.concat([input, sentinel])
    const whole = readMessages([bytes], 'request', parseRequest)
    deepStrictEqual(readMessages(split(bytes, random), 'request', parseRequest), whole)
    const seen = await nodeReader.read(bytes)
    compare(whole, seen)
    const [first] = whole.messages
    if (first !== undefined) await checkWritten(first)
    return first === undefined || seen.length === 0 ? 'refused' : 'accepted'
  },
}

const chunkHead = Buffer.from(
  'POST /chunks HTTP/1.1\r\nHost: nas.example\r\nTransfer-Encoding: chunked\r\n\r\n',
)

const chunkTarget: FuzzTarget = {
  name: 'chunks',
  make: makeChunks,
  async check(input, random) {
    const bytes = Buffer.concat([chunkHead, input, sentinel])
    const whole = readMessages([bytes], 'request', parseRequest)
    deepStrictEqual(readMessages(split(bytes, random), 'request', parseRequest), whole)
    // Node refuses extensions of an odd form, which the door carries: only what both took counts as accepted.
    const isAccepted = whole.messages[0]?.isWhole === true
    const seen = await nodeReader.read(bytes)
    compare(whole, seen)
    return isAccepted && seen[0]?.isWhole ? 'accepted' : 'refused'
  },
}

const responseTarget: FuzzTarget = {
  name: 'responses',
  make: makeResponses,
  async check(input, random) {
    const method = random() < 0.2 ? 'HEAD' : 'GET'
    const parse = (text: string) => parseResponseHead(text, method, doorLimits)
    const whole = readMessages([input], 'response', parse)
    deepStrictEqual(readMessages(split(input, random), 'response', parse), whole)
    const final = whole.messages.find(({ head }) => head.status === 101 || head.status >= 200)
    const seen = final === undefined ? null : await readResponse(input, method)
    if (final !== undefined && seen !== null) {
      strictEqual(seen.status, final.head.status)
      deepStrictEqual(
        seen.fields,
        final.head.fields.map(({ name, value }) => [name, value]),
      )
    }
    return seen === null ? 'refused' : 'accepted'
  },
}

/** The door's readers of HTTP/1. */
export const doorTargets: readonly FuzzTarget[] = [requestTarget, chunkTarget, responseTarget]
