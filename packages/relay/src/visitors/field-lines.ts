import type { DoorLimits } from './limits.ts'
import { Refusal } from './refusal.ts'

/** One header line (RFC 9112 §5). */
export interface Field {
  /** Lower case. */
  readonly name: string
  /** Without the white space around it; bytes as latin1. */
  readonly value: string
  /** The line as it came, with its CRLF: what goes on where nothing is to be changed. */
  readonly line: string
}

/**
 * Whole lines of the bytes that RFC 9110 §5.5 allows: "a recipient of CR, LF, or NUL within a field value MUST either reject the message
 * or replace [them]"; RFC 9112 §2.2 lets a bare LF end a line, which is how two parsers come to disagree, so that is refused as well.
 * It says what is allowed, not what is odd, because that is three times faster; a line holds no CR, so it never backtracks far.
 */
const cleanLines = /^(?:[\t\x20-\x7e\x80-\xff]*\r\n)*$/

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** True for a token of RFC 9110 §5.6.2: names of methods and fields. */
export const isToken = (text: string) => token.test(text)

/** Refuses lines with bytes that none may hold, and lines that end with anything but CRLF. */
export function refuseOddBytes(text: string): void {
  if (!cleanLines.test(text)) throw new Refusal('bad_request', 'odd byte in a head')
}

/**
 * Reads header lines from `from` to the end of `text`, every line ended by CRLF. A name must be a token directly before its colon,
 * which refuses empty names, white space before the colon (RFC 9112 §5.1) and folded lines (§5.2) alike.
 */
export function parseFields(
  text: string,
  from: number,
  limits: Pick<DoorLimits, 'fieldLineBytes' | 'fieldCount'>,
): Field[] {
  const fields: Field[] = []
  let at = from
  while (at < text.length) {
    const end = text.indexOf('\r\n', at)
    if (end - at > limits.fieldLineBytes) {
      throw new Refusal('head_too_large', 'header line over the limit')
    }
    if (fields.length === limits.fieldCount) {
      throw new Refusal('head_too_large', 'more header lines than the limit')
    }
    const colon = text.indexOf(':', at)
    const name = colon === -1 || colon > end ? '' : text.slice(at, colon)
    if (!token.test(name)) throw new Refusal('bad_request', 'header line without a name')
    fields.push({
      name: name.toLowerCase(),
      value: trimmed(text, colon + 1, end),
      line: text.slice(at, end + 2),
    })
    at = end + 2
  }
  return fields
}

const isBlank = (code: number) => code === 0x20 || code === 0x09

/** OWS of RFC 9110 §5.6.3 is SP and HTAB alone; `trim()` would also cut NBSP, which is data here. */
function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** The value of the first field of that (lower-case) name; null where there is none. */
export function findField(fields: readonly Field[], name: string): string | null {
  for (const field of fields) if (field.name === name) return field.value
  return null
}
