import { TunnelError } from '../errors.ts'
import { LINK_PATH, UPGRADE_TOKEN } from './messages.ts'

/** The agent's request: everything a relay needs to know before the challenge. */
export function encodeUpgradeRequest(host: string): string {
  return `GET ${LINK_PATH} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: ${UPGRADE_TOKEN}\r\n\r\n`
}

/**
 * Checks the answer's head (with its empty line). Anything but a 101 to our token throws: `link_refused` with the
 * status and the server's Retry-After, `version_unsupported` for 426, `handshake_invalid` for what is no HTTP/1.1.
 */
export function checkUpgradeAnswer(head: Buffer): void {
  const [statusLine = '', ...lines] = head.toString('latin1').slice(0, -4).split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(statusLine)?.[1]
  if (status === undefined) throw invalid('no HTTP/1.1 status line')
  const headers = parseHeaders(lines)
  if (status !== '101') throw refused(status, headers.get('retry-after'))
  if (headers.get('upgrade')?.toLowerCase() !== UPGRADE_TOKEN) throw invalid('another upgrade')
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
  if (status === '426') return new TunnelError('version_unsupported', { detail: 'HTTP 426' })
  const seconds = /^\d{1,5}$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined
  return new TunnelError('link_refused', {
    detail: `HTTP ${status}`,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
  })
}

function invalid(detail: string): TunnelError {
  return new TunnelError('handshake_invalid', { detail })
}
