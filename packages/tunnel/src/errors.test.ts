import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  isTunnelErrorCode,
  TUNNEL_ERRORS,
  TunnelError,
  toTunnelError,
  tunnelErrorFromNumber,
} from './errors.ts'
import { DEFAULT_YAMUX_CONFIG } from './yamux/config.ts'

const doc = await readFile(new URL('../../../docs/protocol.md', import.meta.url), 'utf8')

test('numbers and codes are unique, numbers rise within a u16, 0 stays free', () => {
  const numbers = TUNNEL_ERRORS.map(entry => entry.number)
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  expect(new Set(TUNNEL_ERRORS.map(entry => entry.code)).size).toBe(TUNNEL_ERRORS.length)
  expect(Math.min(...numbers)).toBeGreaterThan(0)
  expect(Math.max(...numbers)).toBeLessThanOrEqual(0xffff)
})

test('every number gives its error back and an unknown one counts as internal', () => {
  for (const { number, code, retry } of TUNNEL_ERRORS) {
    expect(tunnelErrorFromNumber(number, 'why')).toMatchObject({ number, code, retry })
    expect(isTunnelErrorCode(code)).toBe(true)
  }
  expect(tunnelErrorFromNumber(60_000, 'why')).toMatchObject({ code: 'internal' })
  expect(isTunnelErrorCode('constructor')).toBe(false)
})

test('anything thrown becomes a TunnelError with its cause', () => {
  const cause = new Error('boom')
  expect(toTunnelError(cause, 'link_lost')).toMatchObject({ code: 'link_lost', cause })
  const own = new TunnelError('flood')
  expect(toTunnelError(own)).toBe(own)
  expect(toTunnelError('text').detail).toBe('text')
})

test('docs/protocol.md lists the same errors, both ways', () => {
  const rows = [...doc.matchAll(/^\| (\d+) \| `(\w+)` \| (\w+) \| (.+) \|$/gm)]
  const listed = rows.map(([, number, code, retry, title]) => ({
    number: Number(number),
    code,
    retry,
    title,
  }))
  expect(listed).toEqual([...TUNNEL_ERRORS])
})

test('docs/protocol.md names the limits that are in force', () => {
  const config = DEFAULT_YAMUX_CONFIG
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`
  for (const row of [
    `| streams open, of each side | ${config.inboundStreamLimit} |`,
    `| streams that wait to be taken | ${config.backlogLimit} |`,
    `| window of one stream | ${mib(config.windowLimitBytes)} |`,
    `| growth of all windows above their first 256 KiB | ${mib(config.windowGrowthLimitBytes)} |`,
    `| bytes received and unread, all streams | ${mib(config.unreadLimitBytes)} |`,
    `| frames without payload that wait for the socket | ${config.controlQueueLimit} |`,
    `${config.idleFrameBurst} at once, ${config.idleFramesPerSecond} a second`,
    `every ${config.pingIntervalMs / 1000} s`,
    `received for ${config.silenceLimitMs / 1000} s`,
  ]) {
    expect(doc).toContain(row)
  }
})
