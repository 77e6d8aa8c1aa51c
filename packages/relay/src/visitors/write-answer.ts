import { STATUS_CODES } from 'node:http'
import type { DoorResponse } from '../pages/render.ts'

const oddHeader = /[^\t\x20-\x7e\x80-\xff]/

/** A year. Without `includeSubDomains`: this name may not speak for others. */
const transportSecurity = 'Strict-Transport-Security: max-age=31536000\r\n'

/** The request and the connection that an answer is written for. */
export interface AnswerPlace {
  readonly method: string
  readonly closes: boolean
  /** The visitor's hop is TLS: browsers are told to stay with it (RFC 6797 §7.2 forbids that elsewhere). */
  readonly isSecure: boolean
}

/**
 * A whole answer of the relay's own. Throws where a header holds a line break: a location or a cookie made from what a visitor sent
 * must never begin a header of its own.
 */
export function writeAnswer(response: DoorResponse, place: AnswerPlace): Buffer {
  const body = Buffer.from(response.body)
  let head = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}\r\nDate: ${new Date().toUTCString()}\r\n`
  for (const [name, value] of response.headers) {
    if (oddHeader.test(value)) throw new TypeError(`header ${name} holds an odd byte`)
    head += `${name}: ${value}\r\n`
  }
  if (place.isSecure) head += transportSecurity
  // RFC 9110 §8.6: no length on 204 and 1xx; on HEAD it is that of the body which a GET would get.
  if (response.status !== 204) head += `Content-Length: ${body.length}\r\n`
  head += place.closes ? 'Connection: close\r\n\r\n' : '\r\n'
  const isBodiless = place.method === 'HEAD' || response.status === 204 || response.status === 304
  return isBodiless
    ? Buffer.from(head, 'latin1')
    : Buffer.concat([Buffer.from(head, 'latin1'), body])
}
