import type { DoorLimits } from './limits.ts'
import { Refusal } from './refusal.ts'

/** Collects the bytes of one head after the other from a connection. */
export interface HeadReader {
  /** The head's lines, each with its CRLF, as latin1 text; null while bytes are missing. Throws {@link Refusal}. */
  read(chunk: Buffer): string | null
  /** What followed the head in the last chunk; null where nothing did. */
  takeRest(): Buffer | null
  /** True between the first byte of a head and its last. */
  isStarted(): boolean
  /** What a head under way holds. */
  heldBytes(): number
}

const endOfHead = Buffer.from('\r\n\r\n')
const nothing = Buffer.alloc(0)
const carriageReturn = 13
const lineFeed = 10

/** RFC 9110 §5.6.2 tchar, or "H" of a status line: what a head may begin with. Anything else is not HTTP/1. */
const startsHead = (byte: number | undefined) =>
  byte !== undefined && byte > 0x20 && byte < 0x7f && byte !== 0x3a && byte !== 0x22

/** Makes a reader for requests (one empty line before the head is forgiven, RFC 9112 §2.2) or responses (none is). */
export function createHeadReader(limits: DoorLimits, side: 'request' | 'response'): HeadReader {
  let held = nothing
  let length = 0
  let searched = 0
  let rest: Buffer | null = null

  const append = (chunk: Buffer) => {
    if (length + chunk.length > held.length) {
      // Doubling keeps a head that arrives byte by byte linear in its length.
      const grown = Buffer.allocUnsafe(Math.max(2 * held.length, length + chunk.length, 1024))
      held.copy(grown, 0, 0, length)
      held = grown
    }
    chunk.copy(held, length)
    length += chunk.length
  }

  /** Refuses what can no longer become a head, so that it need not time out. */
  const inspect = (bytes: Buffer, start: number) => {
    const size = bytes.length - start
    if (size > limits.headBytes) throw tooLarge()
    const firstEnd = bytes.indexOf(lineFeed, start)
    const firstSize = firstEnd === -1 ? size : firstEnd - start
    if (side === 'request' && firstSize > limits.requestLineBytes + 2) throw tooLong()
    for (let at = bytes.indexOf(lineFeed, Math.max(searched, start)); at !== -1; ) {
      if (bytes[at - 1] !== carriageReturn) throw new Refusal('bad_request', 'bare LF')
      at = bytes.indexOf(lineFeed, at + 1)
    }
  }

  return {
    read(chunk) {
      let bytes = chunk
      if (length > 0) {
        append(chunk)
        bytes = held.subarray(0, length)
      }
      let start = 0
      if (side === 'request' && bytes[0] === carriageReturn) {
        if (bytes.length > 1 && bytes[1] !== lineFeed) throw new Refusal('bad_request', 'bare CR')
        start = 2
      }
      if (bytes.length > start && !startsHead(bytes[start])) {
        throw new Refusal('bad_request', 'not the start of a head')
      }
      const end = bytes.indexOf(endOfHead, Math.max(start, searched - 3))
      if (end === -1) {
        inspect(bytes, start)
        if (length === 0) append(chunk)
        searched = length
        return null
      }
      if (end + 4 - start > limits.headBytes) throw tooLarge()
      rest = bytes.length > end + 4 ? bytes.subarray(end + 4) : null
      held = nothing
      length = 0
      searched = 0
      return bytes.toString('latin1', start, end + 2)
    },
    takeRest() {
      const taken = rest
      rest = null
      return taken
    },
    isStarted: () => length > 0,
    heldBytes: () => held.length,
  }
}

const tooLarge = () => new Refusal('head_too_large', 'head over the limit')
const tooLong = () => new Refusal('target_too_long', 'request line over the limit')
