import { STATUS_CODES } from 'node:http'
import type { DoorResponse } from '../pages/render.ts'

const oddHeader = /[^\t\x20-\x7e\x80-\xff]/

/**
 * A whole answer of the relay's own. Throws where a header holds a line break: a location or a cookie made from what a visitor sent
 * must never begin a header of its own.
 */
export function writeAnswer(response: DoorResponse, method: string, closes: boolean): Buffer {
  const body = Buffer.from(response.body)
  let head = `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}\r\nDate: ${new Date().toUTCString()}\r\n`
  for (const [name, value] of response.headers) {
    if (oddHeader.test(value)) throw new TypeError(`header ${name} holds an odd byte`)
    head += `${name}: ${value}\r\n`
  }
  // RFC 9110 §8.6: no length on 204 and 1xx; on HEAD it is that of the body which a GET would get.
  if (response.status !== 204) head += `Content-Length: ${body.length}\r\n`
  head += closes ? 'Connection: close\r\n\r\n' : '\r\n'
  const isBodiless = method === 'HEAD' || response.status === 204 || response.status === 304
  return isBodiless
    ? Buffer.from(head, 'latin1')
    : Buffer.concat([Buffer.from(head, 'latin1'), body])
}
