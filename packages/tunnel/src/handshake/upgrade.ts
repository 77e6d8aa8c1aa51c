import { createHash } from 'node:crypto'
import { TunnelError } from '../errors.ts'
import { LINK_PATH, UPGRADE_TOKEN } from './messages.ts'

/** RFC 6455 section 1.3: joined to the key, so that no server answers a websocket by chance. */
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const acceptOf = (key: string) =>
  createHash('sha1').update(`${key}${WEBSOCKET_GUID}`).digest('base64')

/**
 * The agent's request: everything a relay needs to know before the challenge. With a `websocketKey` (16 random bytes
 * as base64) it asks for a websocket instead.
 */
export function encodeUpgradeRequest(host: string, websocketKey?: string): string {
  const lines = [`GET ${LINK_PATH} HTTP/1.1`, `Host: ${host}`, 'Connection: Upgrade']
  if (websocketKey === undefined) lines.push(`Upgrade: ${UPGRADE_TOKEN}`)
  else {
    lines.push('Upgrade: websocket', 'Sec-WebSocket-Version: 13')
    lines.push(`Sec-WebSocket-Key: ${websocketKey}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** The relay's 101. */
export function encodeUpgradeAnswer(websocketKey?: string): string {
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade']
  if (websocketKey === undefined) lines.push(`Upgrade: ${UPGRADE_TOKEN}`)
  else lines.push('Upgrade: websocket', `Sec-WebSocket-Accept: ${acceptOf(websocketKey)}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** Is this the `Sec-WebSocket-Key` of an RFC 6455 request: 16 bytes as base64? */
export const isWebsocketKey = (key: string): boolean => /^[A-Za-z0-9+/]{21}[AQgw]==$/.test(key)

/**
 * Checks the answer's head (with its empty line). Anything but a 101 to our token throws: `link_refused` with the
 * status and the server's Retry-After, `version_unsupported` for 426, `handshake_invalid` for what is no HTTP/1.1.
 */
export function checkUpgradeAnswer(head: Buffer, websocketKey?: string): void {
  const [statusLine = '', ...lines] = head.toString('latin1').slice(0, -4).split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(statusLine)?.[1]
  if (status === undefined) throw invalid('no HTTP/1.1 status line')
  const headers = parseHeaders(lines)
  if (status !== '101') throw refused(status, headers.get('retry-after'))
  const token = websocketKey === undefined ? UPGRADE_TOKEN : 'websocket'
  if (headers.get('upgrade')?.toLowerCase() !== token) throw invalid('another upgrade')
  if (
    websocketKey !== undefined &&
    headers.get('sec-websocket-accept') !== acceptOf(websocketKey)
  ) {
    throw invalid('no answer to the websocket key')
  }
  // RFC 6455 section 4.1: none was asked for, and bytes under one could not be read.
  if (headers.has('sec-websocket-extensions')) throw invalid('a websocket extension')
  const options = (headers.get('connection') ?? '').toLowerCase().split(/[\t ]*,[\t ]*/)
  if (!options.includes('upgrade')) throw invalid('no Connection: Upgrade')
}

// RFC 9112 section 5: no space before the colon, no folded lines, no bare CR or LF; a name given twice is joined.
function parseHeaders(lines: string[]): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)$/.exec(line)
    if (match === null) throw invalid('malformed header line')
    const [, rawName = '', value = ''] = match
    const name = rawName.toLowerCase()
    const before = headers.get(name)
    headers.set(name, before === undefined ? value.trim() : `${before}, ${value.trim()}`)
  }
  return headers
}

function refused(status: string, retryAfter: string | undefined): TunnelError {
  const facts = { detail: `HTTP ${status}`, httpStatus: Number(status) }
  if (status === '426') return new TunnelError('version_unsupported', facts)
  const seconds = /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  const retryAfterMs = seconds === undefined ? undefined : seconds * 1000
  return new TunnelError('link_refused', { ...facts, retryAfterMs })
}

function invalid(detail: string): TunnelError {
  return new TunnelError('handshake_invalid', { detail })
}
