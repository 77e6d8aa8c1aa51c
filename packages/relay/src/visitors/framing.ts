import type { Field } from './field-lines.ts'
import { Refusal } from './refusal.ts'

/** How the end of a body is found (RFC 9112 §6.3). */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' }

/** Finds the end of one body while its bytes pass unchanged. */
export interface BodyScan {
  /** Offset behind the last byte of `chunk` that belongs to the body. Throws Refusal for broken framing. */
  take(chunk: Buffer): number
  isDone(): boolean
}

/** Framing of a message without a body. */
export const noBody: Framing = { kind: 'none' }
/** Framing by chunks. */
export const chunkedBody: Framing = { kind: 'chunked' }
/** Framing by the end of the connection: responses alone. */
export const bodyUntilClose: Framing = { kind: 'close' }

/**
 * The framing that header lines declare; null where they declare none. Refused: both lengths (§6.1: "ought to be handled as an
 * error"), any coding but exactly `chunked`, a repeated or non-decimal length. Two length lines that agree are refused in requests
 * and taken as one in responses (§6.3, rule 5), which home devices are known to send.
 */
export function declaredFraming(fields: readonly Field[], side: 'request' | 'response') {
  let length: string | null = null
  let coding: string | null = null
  for (const { name, value } of fields) {
    if (name === 'content-length') {
      if (length !== null && (side === 'request' || length !== value)) {
        throw new Refusal('bad_request', 'several Content-Length lines')
      }
      length = value
    } else if (name === 'transfer-encoding') {
      if (coding !== null) throw new Refusal('bad_request', 'several Transfer-Encoding lines')
      coding = value
    }
  }
  if (coding !== null) {
    if (length !== null) throw new Refusal('bad_request', 'both lengths')
    if (coding.toLowerCase() !== 'chunked') {
      throw new Refusal('bad_request', 'a transfer coding other than chunked')
    }
    return chunkedBody
  }
  return length === null ? null : framingOfLength(length)
}

/** 15 digits stay below 2^53, so counting down is exact. */
function framingOfLength(length: string): Framing {
  if (!/^[0-9]{1,15}$/.test(length)) throw new Refusal('bad_request', 'odd Content-Length')
  const bytes = Number(length)
  return bytes === 0 ? noBody : { kind: 'length', bytes }
}
