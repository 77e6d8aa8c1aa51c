import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import type { ServerSettings } from '../config.ts'
import { limitKeyOf, readRequestFacts } from './request-facts.ts'

const socket = { path: '/run/server.sock' }
const port = { host: '127.0.0.1', port: 8081 }

function read(
  headers: Record<string, string | string[]>,
  { listen = socket, extraConsoleHosts = 'none' }: Partial<ServerSettings> = {},
) {
  const request = { headers, socket: { remoteAddress: '198.51.100.9' } } as unknown
  const settings = { listen, extraConsoleHosts, consoleUrl: 'http://console.example' } as unknown
  return readRequestFacts(request as FastifyRequest, settings as ServerSettings)
}

describe('what is said of a request', () => {
  const said = {
    'x-real-ip': '192.0.2.1',
    'x-forwarded-host': '192.0.2.80',
    'x-forwarded-proto': 'https',
    'x-request-id': 'abcdef-123456',
    host: '192.0.2.81',
  }

  it('counts on the private socket, where the relay says it', () => {
    expect(read(said, { extraConsoleHosts: 'ip-literals' })).toMatchObject({
      address: '192.0.2.1',
      ownOrigin: 'https://192.0.2.80',
      secure: true,
      id: 'abcdef-123456',
    })
  })

  it('counts for nothing on a port, where anybody can', () => {
    const facts = read(said, { listen: port, extraConsoleHosts: 'ip-literals' })
    expect(facts).toMatchObject({
      address: '198.51.100.9',
      ownOrigin: 'http://192.0.2.81',
      secure: false,
    })
    expect(facts.id).not.toBe('abcdef-123456')
  })

  it.each<[string, string | string[]]>([
    ['two addresses', '192.0.2.1, 192.0.2.2'],
    ['two lines', ['192.0.2.1', '192.0.2.2']],
    ['an address and a port', '192.0.2.1:80'],
    ['a name', 'localhost'],
    ['nothing', ''],
    ['markup', '<b>192.0.2.1</b>'],
    ['a longer one', '192.0.2.1.5'],
  ])('is no address where X-Real-IP holds %s', (_, value) => {
    expect(read({ 'x-real-ip': value }).address).toBe('198.51.100.9')
  })

  it.each([
    'evil.example',
    '192.0.2.80.evil.example',
    'evil.example@192.0.2.80',
    '192.0.2.80@evil.example',
    '192.0.2.80/evil.example',
    '192.0.2.999',
    '0x7f000001',
    '[::1',
    '[::1]evil.example',
    '192.0.2.80:99999999',
    '',
  ])('is the configured origin under the host %j', host => {
    const { ownOrigin } = read({ 'x-forwarded-host': host }, { extraConsoleHosts: 'ip-literals' })
    expect(ownOrigin).toBe('http://console.example')
  })

  it('is the configured origin under every host where one was configured', () => {
    expect(read(said).ownOrigin).toBe('http://console.example')
  })
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:0000::', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['', ''],
])('counts %s as %s', (address, key) => {
  expect(limitKeyOf(address)).toBe(key)
})
