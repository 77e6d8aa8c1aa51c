import { parseFields, refuseOddBytes } from './field-lines.ts'
import type { BodyScan } from './framing.ts'
import { isIdentityName } from './identity-names.ts'
import type { DoorLimits } from './limits.ts'
import { Refusal } from './refusal.ts'

/**
 * chunked-body (RFC 9112 §7.1): *( size [ext] CRLF data CRLF ) "0" [ext] CRLF trailers CRLF.
 * `trailer` is inside a trailer line; `lineStart` is before one, where CR ends the body.
 */
type Place =
  | 'size'
  | 'extension'
  | 'sizeEnd'
  | 'data'
  | 'dataCr'
  | 'dataEnd'
  | 'lineStart'
  | 'trailer'
  | 'bodyEnd'
  | 'done'

const cr = 13
const lf = 10

/** 13 hex digits are below 2^52: counting stays exact and nothing wraps. */
const maxSizeDigits = 13

/** RFC 9110 §6.5.1: no trailer may change framing, routing, authentication or the meaning of the content. */
const forbiddenTrailers = new Set(
  (
    'transfer-encoding content-length host connection te upgrade trailer expect max-forwards cache-control range authorization ' +
    'proxy-authorization www-authenticate proxy-authenticate cookie set-cookie content-encoding content-type content-range location ' +
    'keep-alive proxy-connection'
  ).split(' '),
)

/** Validates chunk framing byte by byte and skips the data in bulk; keeps nothing but one trailer line. */
export function createChunkScan(limits: DoorLimits): BodyScan {
  let place: Place = 'size'
  let size = 0
  let digits = 0
  let left = 0
  let extensionBytes = 0
  let trailerBytes = 0
  let line = ''

  const readSize = (byte: number) => {
    const digit = hexValue(byte)
    if (digit >= 0) {
      if (++digits > maxSizeDigits) throw broken('chunk size over the limit')
      size = size * 16 + digit
      return
    }
    if (digits === 0) throw broken('no chunk size')
    if (byte === cr) place = 'sizeEnd'
    // White space before ";" is legal (BWS) but what parsers disagree on, so nothing but ";" may follow the digits.
    else if (byte === 0x3b) place = 'extension'
    else throw broken('junk after a chunk size')
  }

  const readExtension = (byte: number) => {
    if (byte === cr) place = 'sizeEnd'
    else if (!isFieldByte(byte)) throw broken('odd byte in a chunk extension')
    else if (++extensionBytes > limits.chunkExtensionBytes)
      throw broken('extensions over the limit')
  }

  const endSize = () => {
    left = size
    place = size === 0 ? 'lineStart' : 'data'
    size = 0
    digits = 0
  }

  const readTrailer = (byte: number) => {
    if (++trailerBytes > limits.trailerBytes) throw broken('trailers over the limit')
    line += String.fromCharCode(byte)
    if (byte !== lf) return
    refuseTrailer(line, limits)
    line = ''
    place = 'lineStart'
  }

  const step = (byte: number) => {
    switch (place) {
      case 'size':
        return readSize(byte)
      case 'extension':
        return readExtension(byte)
      case 'sizeEnd':
        if (byte !== lf) throw broken('bare CR after a chunk size')
        return endSize()
      case 'dataCr':
        if (byte !== cr) throw broken('chunk longer than its size')
        place = 'dataEnd'
        return
      case 'dataEnd':
        if (byte !== lf) throw broken('bare CR after a chunk')
        place = 'size'
        return
      case 'lineStart':
        if (byte === cr) {
          place = 'bodyEnd'
          return
        }
        place = 'trailer'
        return readTrailer(byte)
      case 'trailer':
        return readTrailer(byte)
      case 'bodyEnd':
        if (byte !== lf) throw broken('bare CR after the trailers')
        place = 'done'
    }
  }

  return {
    take(chunk) {
      let at = 0
      while (at < chunk.length && place !== 'done') {
        if (place === 'data') {
          const taken = Math.min(left, chunk.length - at)
          left -= taken
          at += taken
          if (left === 0) place = 'dataCr'
        } else {
          step(chunk[at] ?? 0)
          at++
        }
      }
      return at
    },
    isDone: () => place === 'done',
  }
}

function refuseTrailer(line: string, limits: DoorLimits): void {
  refuseOddBytes(line)
  for (const { name } of parseFields(line, 0, limits)) {
    if (forbiddenTrailers.has(name) || isIdentityName(name)) throw broken('forbidden trailer')
  }
}

const broken = (reason: string) => new Refusal('bad_request', reason)

const isFieldByte = (byte: number) => byte === 9 || (byte >= 0x20 && byte !== 0x7f)

/** The value of a hex digit, -1 for any other byte. */
function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
