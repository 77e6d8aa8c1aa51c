import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { RelayConfig } from '../config.ts'
import { createTestDevice, linkAgent } from '../testing/agent.ts'
import { createBench, portOf, until, whenDone } from '../testing/bench.ts'

const proxy = '127.0.0.2'
const hostOfNas = 'Host: nas.localhost\r\nConnection: close\r\n'
const get = (lines = '') => `GET / HTTP/1.1\r\n${hostOfNas}${lines}\r\n`
const line = (address: string) => `PROXY TCP4 ${address} 192.0.2.1 54321 443\r\n`
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const binary6 = Buffer.concat([
  signature,
  Buffer.from(
    `2121 0024 20010db8${'0'.repeat(23)}9 ${'0'.repeat(32)} d431 01bb`.replaceAll(' ', ''),
    'hex',
  ),
])
const local = Buffer.concat([signature, Buffer.from([0x20, 0, 0, 0])])

async function createProxiedBench(config: Partial<RelayConfig> = {}) {
  const bench = await createBench({
    proxyProtocol: 'door',
    trustedProxies: [proxy, '10.0.0.0/8'],
    ...config,
  })
  bench.server.setRoute(bench.route())
  await bench.link()
  return bench
}

function dial(port: number, localAddress = proxy): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  whenDone(() => socket.destroy())
  return socket
}

/** Everything that comes until the connection is over, and how it ended. */
function endOf(socket: Socket) {
  const { promise, resolve } = Promise.withResolvers<{ text: string; end: string }>()
  let text = ''
  let end = 'closed'
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
  })
  socket.on('error', (error: NodeJS.ErrnoException) => {
    end = error.code ?? error.message
  })
  socket.once('close', () => resolve({ text, end }))
  return promise
}

async function say(port: number, bytes: string | Buffer, localAddress?: string) {
  const socket = dial(port, localAddress)
  const ended = endOf(socket)
  socket.write(bytes)
  return ended
}

const statusOf = ({ text }: { text: string }) => Number(text.slice(9, 12))

/** Header fields that the page at home saw of a visitor. */
const seenBy = ({ text }: { text: string }): Record<string, string> =>
  JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).headers

const refused = { text: '', end: 'ECONNRESET' }

describe('a trusted proxy', () => {
  it('names the visitor, whose own claims count for nothing', async () => {
    const { port } = await createProxiedBench()
    const forged = 'X-Forwarded-For: 10.9.9.9\r\nX-Forwarded-Proto: https\r\n'
    const seen = seenBy(await say(port, line('203.0.113.9') + get(forged)))
    expect(seen).toMatchObject({ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' })
  })

  it.each([
    ['version 1', Buffer.from('PROXY TCP6 2001:DB8:0::9 2001:db8::1 54321 443\r\n')],
    ['version 2', binary6],
  ])('names visitors of IPv6 in %s, in one spelling', async (_, header) => {
    const { port } = await createProxiedBench()
    const seen = seenBy(await say(port, Buffer.concat([header, Buffer.from(get())])))
    expect(seen['x-forwarded-for']).toBe('2001:db8::9')
  })

  it('may name another trusted proxy, whose X-Forwarded-For counts then', async () => {
    const { port } = await createProxiedBench()
    const claim = 'X-Forwarded-For: 198.51.100.7\r\n'
    const seen = seenBy(await say(port, line('10.1.2.3') + get(claim)))
    expect(seen['x-forwarded-for']).toBe('198.51.100.7, 10.1.2.3')
  })

  it.each([
    ['UNKNOWN', Buffer.from('PROXY UNKNOWN\r\n')],
    ['LOCAL', local],
  ])('that says %s vouches for no header field', async (_, header) => {
    const { port } = await createProxiedBench()
    const claim = Buffer.from(get('X-Forwarded-For: 198.51.100.7\r\n'))
    const seen = seenBy(await say(port, Buffer.concat([header, claim])))
    expect(seen['x-forwarded-for']).toBe(proxy)
  })

  it('may send its header byte by byte', async () => {
    const { port } = await createProxiedBench()
    const socket = dial(port).setNoDelay(true)
    const ended = endOf(socket)
    for (const byte of line('203.0.113.9') + get()) {
      await new Promise(written => socket.write(byte, written))
    }
    expect(seenBy(await ended)['x-forwarded-for']).toBe('203.0.113.9')
  })

  it('names agents too', async () => {
    const { port, server } = await createProxiedBench()
    const balancer = createServer(from => {
      const to = dial(port)
      to.write(line('203.0.113.9'))
      from.pipe(to).pipe(from)
      from.on('error', () => to.destroy())
      to.on('error', () => from.destroy())
    }).listen(0, '127.0.0.1')
    whenDone(() => balancer.close())
    await once(balancer, 'listening')
    const device = createTestDevice('behind')
    server.keys.set(device.uid, device.publicKey)
    await linkAgent(portOf(balancer), device)
    await until(() => server.opened.some(({ device }) => device === 'behind'))
    const { public_ip } = server.opened.find(({ device }) => device === 'behind') ?? {}
    expect(public_ip).toBe('203.0.113.9')
  })

  it.each<[string, string | Buffer]>([
    ['HTTP at once', get()],
    ['TLS at once', Buffer.from('16030100c8010000c40303', 'hex')],
    ['garbage', Buffer.alloc(64, 0xff)],
    ['a line that never ends', `PROXY UNKNOWN ${'f'.repeat(1024 * 1024)}`],
    ['a line with LF alone', `PROXY TCP4 1.2.3.4 1.2.3.4 1 2\n${get()}`],
    ['a binary header of 64 KiB', Buffer.concat([signature, Buffer.from([0x21, 0x11, 255, 255])])],
    ['another version', Buffer.concat([signature, Buffer.from([0x31, 0x11, 0, 12])])],
  ])('is cut without a word after %s', async (_, bytes) => {
    const { port, visit } = await createProxiedBench()
    expect(await say(port, bytes)).toEqual(refused)
    expect((await visit('nas.localhost')).status).toBe(200)
  })

  it.each([
    ['nothing', ''],
    ['half a line', 'PROXY TCP4 1.2.3'],
    ['half a signature', signature.subarray(0, 7)],
    ['a header whose addresses do not come', Buffer.from([...signature, 0x21, 0x11, 0, 12, 1])],
  ])('is cut when it leaves after %s', async (_, bytes) => {
    const { port } = await createProxiedBench()
    const socket = dial(port)
    const ended = endOf(socket)
    socket.end(bytes)
    expect((await ended).text).toBe('')
  })

  it('is cut when its header takes too long, silent or dripping', async () => {
    const { port } = await createProxiedBench({ limits: { arrival: { proxyHeaderMs: 60 } } })
    const silent = endOf(dial(port))
    const socket = dial(port)
    const dripping = endOf(socket)
    const drip = setInterval(() => socket.write('f'), 5)
    whenDone(() => clearInterval(drip))
    socket.write('PROXY UNKNOWN ')
    expect(await silent).toEqual(refused)
    expect(await dripping).toMatchObject({ text: '' })
  })

  it('cannot send a second header for its first one', async () => {
    const { port } = await createProxiedBench()
    const twice = line('203.0.113.9') + line('10.1.2.3') + get()
    expect(statusOf(await say(port, twice))).toBe(400)
  })
})

describe('who is not trusted', () => {
  it.each<[string, string | Buffer]>([
    ['version 1', line('10.1.2.3') + get()],
    ['version 2', Buffer.concat([local, Buffer.from(get())])],
  ])('gets what malformed HTTP gets for a header of %s', async (_, bytes) => {
    const { port } = await createProxiedBench()
    const answer = await say(port, bytes, '127.0.0.1')
    expect(statusOf(answer)).toBe(400)
    expect(answer.text).toContain('bad_request')
  })

  it('needs no header', async () => {
    const { port } = await createProxiedBench()
    const seen = seenBy(await say(port, get(), '127.0.0.1'))
    expect(seen['x-forwarded-for']).toBe('127.0.0.1')
  })

  it('is everybody while the option is off', async () => {
    const { port } = await createProxiedBench({ proxyProtocol: 'off' })
    expect(statusOf(await say(port, line('10.1.2.3') + get()))).toBe(400)
    expect(statusOf(await say(port, get()))).toBe(200)
  })
})

describe('limits behind a balancer', () => {
  it('count the visitor, not the balancer', async () => {
    const bench = await createProxiedBench({ limits: { door: { connectionsPerAddress: 1 } } })
    const first = dial(bench.port)
    first.write(`${line('203.0.113.9')}GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n`)
    await once(first, 'data')
    expect((await say(bench.port, line('203.0.113.9') + get())).text).toBe('')
    expect(statusOf(await say(bench.port, line('203.0.113.10') + get()))).toBe(200)
  })

  it('count a /64 of IPv6 as one visitor', async () => {
    const bench = await createProxiedBench({ limits: { door: { connectionsPerAddress: 1 } } })
    const line6 = (address: string) => `PROXY TCP6 ${address} ::1 54321 443\r\n`
    const first = dial(bench.port)
    first.write(`${line6('2001:db8:1:1::1')}GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n`)
    await once(first, 'data')
    expect((await say(bench.port, line6('2001:db8:1:1::2') + get())).text).toBe('')
    expect(statusOf(await say(bench.port, line6('2001:db8:1:2::1') + get()))).toBe(200)
  })
})

/** A tcp record whose target tells what it was sent. */
async function createTcpBench(proxyProtocol: 'door' | 'all') {
  const bench = await createProxiedBench({ proxyProtocol })
  const target = createServer({ allowHalfOpen: true }, socket => {
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('end', () => socket.end(`[${text}]`))
  }).listen(0, '127.0.0.1')
  await once(target, 'listening')
  whenDone(() => target.close())
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  const route = { kind: 'tcp', port, target: `tcp://127.0.0.1:${portOf(target)}` } as const
  bench.server.setRoute(bench.route(route))
  bench.server.peer?.notify('routes_changed', [{ kind: 'port', port }])
  const tell = async (bytes: string, localAddress?: string) => {
    const socket = dial(port, localAddress)
    const ended = endOf(socket)
    socket.end(bytes)
    return ended
  }
  await expect.poll(async () => (await tell('up', '127.0.0.1')).text).toBe('[up]')
  return tell
}

describe('the port of a tcp record', () => {
  it('takes the header off where balancers stand before all ports', async () => {
    const tell = await createTcpBench('all')
    expect(await tell(`${line('203.0.113.9')}hello`)).toEqual({ text: '[hello]', end: 'closed' })
    expect(await tell('hello')).toEqual(refused)
    expect((await tell('hello', '127.0.0.1')).text).toBe('[hello]')
  })

  it('carries a header as any other bytes elsewhere', async () => {
    const tell = await createTcpBench('door')
    expect((await tell(`${line('203.0.113.9')}hello`)).text).toBe(`[${line('203.0.113.9')}hello]`)
  })
})
