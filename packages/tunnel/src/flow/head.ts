import { TunnelError } from '../errors.ts'
import { parseFields } from '../json-fields.ts'

/** The largest head of a flow, in bytes of JSON. */
export const HEAD_LIMIT_BYTES = 8 * 1024
/** The largest detail of a status, in bytes of UTF-8. */
export const DETAIL_LIMIT_BYTES = 512
/** A status before its detail: number u16, length of the detail u16. */
export const STATUS_BYTES = 4
/** The length before a head: u16. */
export const HEAD_PREFIX_BYTES = 2

/** What the relay wants of the agent for one visitor's flow. */
export interface FlowHead {
  /** The record's id. */
  readonly record: number
  /** Where to: `http://192.168.1.1:80`, `https://10.0.0.2:5001`, `tcp://192.168.1.5:22`. */
  readonly target: string
  /** The flow's id, for both sides' logs. */
  readonly flow: string
  /** How a target that speaks TLS is judged. */
  readonly tls?: { readonly verify: boolean; readonly serverName?: string | undefined } | undefined
  /** Nothing is dialled: the open flow of this id goes on over this stream. */
  readonly isMove?: boolean | undefined
}

const TARGET_LIMIT = 2048
const NAME_LIMIT = 253
const FLOW_LIMIT = 128

/** The head as it is sent, with its length. Throws `head_invalid` when it is too long. */
export function encodeFlowHead({ record, target, flow, tls, isMove }: FlowHead): Buffer {
  const text = JSON.stringify({
    record,
    target,
    flow,
    tls: tls && { verify: tls.verify, server_name: tls.serverName },
    move: isMove,
  })
  const length = Buffer.byteLength(text)
  if (length > HEAD_LIMIT_BYTES) throw new TunnelError('head_invalid', { detail: 'too long' })
  const bytes = Buffer.allocUnsafe(HEAD_PREFIX_BYTES + length)
  bytes.writeUInt16BE(length)
  bytes.write(text, HEAD_PREFIX_BYTES)
  return bytes
}

/** Reads a head without its length. Throws `head_invalid`. The target is text that the agent still has to judge. */
export function parseFlowHead(bytes: Buffer): FlowHead {
  const fields = parseFields(bytes, 'head_invalid')
  const tls = fields.optionalFields('tls')
  return {
    record: fields.count('record', Number.MAX_SAFE_INTEGER),
    target: fields.text('target', TARGET_LIMIT),
    flow: fields.text('flow', FLOW_LIMIT),
    tls: tls && {
      verify: tls.flag('verify'),
      serverName: tls.optionalText('server_name', NAME_LIMIT),
    },
    isMove: fields.optionalFlag('move'),
  }
}

/** The agent's answer: number 0 is "connected", any other a tunnel error; the detail is cut to 512 bytes. */
export function encodeStatus(number: number, detail: string): Buffer {
  const text = Buffer.from(detail).subarray(0, DETAIL_LIMIT_BYTES)
  const bytes = Buffer.allocUnsafe(STATUS_BYTES + text.length)
  bytes.writeUInt16BE(number)
  bytes.writeUInt16BE(text.length, 2)
  text.copy(bytes, STATUS_BYTES)
  return bytes
}
