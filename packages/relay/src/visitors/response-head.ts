import { type Field, parseFields, refuseOddBytes } from './field-lines.ts'
import { bodyUntilClose, declaredFraming, type Framing, noBody } from './framing.ts'
import { parseConnection } from './hop-by-hop.ts'
import type { DoorLimits } from './limits.ts'
import { Refusal } from './refusal.ts'

/** A response's head as the target sent it, read as strictly as a request's. */
export interface ResponseHead {
  readonly status: number
  /** May be empty (RFC 9112 §4). */
  readonly reason: string
  readonly fields: readonly Field[]
  readonly framing: Framing
  /** The target will take another request on this stream. */
  readonly isPersistent: boolean
  /** Lower-case protocol of `Upgrade` where `Connection` names it. */
  readonly upgrade: string | null
  readonly hopNames: readonly string[]
}

const statusLine = /^HTTP\/1\.([01]) ([1-9][0-9]{2})(?: ([\t\x20-\x7e\x80-\xff]*))?$/

/** Reads a response head to a request of that method. Throws {@link Refusal}, which the visitor sees as a failed target. */
export function parseResponseHead(text: string, method: string, limits: DoorLimits): ResponseHead {
  refuseOddBytes(text)
  const lineEnd = text.indexOf('\r\n')
  const parts = statusLine.exec(text.slice(0, lineEnd))
  if (parts === null) throw new Refusal('bad_response', 'status line')
  const status = Number(parts[2])
  const isOld = parts[1] === '0'
  const fields = parseFields(text, lineEnd + 2, {
    fieldCount: limits.fieldCount,
    // A long Content-Security-Policy is legal, so a line may fill the head.
    fieldLineBytes: limits.headBytes,
  })
  const framing = responseFraming(status, method, fields, isOld)
  const connection = parseConnection(fields)
  return {
    status,
    reason: parts[3] ?? '',
    fields,
    framing,
    isPersistent: !isOld && !connection.close && framing.kind !== 'close',
    upgrade: connection.upgrade,
    hopNames: connection.names,
  }
}

/** RFC 9112 §6.3 for responses: rules 1 (no body by status or HEAD), 3-5 (declared) and 8 (until close). */
function responseFraming(
  status: number,
  method: string,
  fields: readonly Field[],
  isOld: boolean,
): Framing {
  if (status < 200 || status === 204 || status === 304) return noBody
  const declared = declaredFraming(fields, 'response')
  if (isOld && declared?.kind === 'chunked') {
    throw new Refusal('bad_response', 'Transfer-Encoding on HTTP/1.0')
  }
  if (method === 'HEAD') return noBody
  return declared ?? bodyUntilClose
}
