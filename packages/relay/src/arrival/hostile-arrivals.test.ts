import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { createLogger } from '@homeport/runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RelayConfig } from '../config.ts'
import { createBench, until, whenDone } from '../testing/bench.ts'

const proxy = '127.0.0.2'
const folder = mkdtempSync(join(tmpdir(), 'homeport-arrivals-'))
const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }

beforeAll(() => {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
  const files = ['-keyout', tls.keyFile, '-out', tls.certFile]
  execFileSync('openssl', ['req', '-x509', ...key.split(' '), ...files], { stdio: 'ignore' })
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A relay behind a balancer, so that one machine can be many addresses. */
const createCrowdedBench = (config: Partial<RelayConfig>) =>
  createBench({ proxyProtocol: 'door', trustedProxies: [proxy], ...config })

/** A connection that the balancer names as `address`. */
function come(port: number, address: string): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: proxy })
  whenDone(() => socket.destroy())
  socket.on('error', () => undefined)
  socket.write(`PROXY TCP4 ${address} 192.0.2.1 4000 443\r\n`)
  return socket
}

/** Resolves with the status of the answer, 0 where the connection ended without one. */
function statusOf(socket: Socket): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.once('data', chunk => resolve(Number(chunk.toString('latin1', 9, 12))))
  socket.once('close', () => resolve(0))
  return promise
}

const isGone = (socket: Socket) => socket.destroyed

describe('links that prove nothing', () => {
  const knock = (port: number, address: string) => {
    const socket = come(port, address)
    socket.write(
      'GET /.homeport/link HTTP/1.1\r\nHost: localhost:8080\r\nConnection: Upgrade\r\nUpgrade: homeport/1\r\n\r\n',
    )
    return socket
  }

  it('of many addresses do not keep an agent of another network out', async () => {
    const links = { handshakes: 8, handshakesPerAddress: 2, handshakesPerNetwork: 4 }
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    const logger = createLogger({ level: 'warn', name: 'relay', destination })
    const bench = await createCrowdedBench({ limits: { links }, logger })
    const crowd: Socket[] = []
    for (const address of ['203.0.1.1', '203.0.1.2', '203.0.2.1', '203.0.2.2']) {
      for (let count = 0; count < 2; count += 1) {
        crowd.push(knock(bench.port, address))
        expect(await statusOf(crowd.at(-1) as Socket)).toBe(101)
      }
    }
    for (const last of [3, 4, 5]) {
      expect(await statusOf(knock(bench.port, `203.0.1.${last}`))).toBe(503)
    }
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      {
        msg: 'links were turned away: too many handshakes of one address or network',
        address: '203.0.1.3',
      },
    ])
    const { muxer } = await bench.link()
    expect(muxer.isOpen).toBe(true)
    await until(() => crowd.some(isGone))
    expect(crowd.map(isGone).filter(Boolean)).toHaveLength(1)
    expect(isGone(crowd[0] as Socket)).toBe(true)
  })
})

describe('TLS handshakes that go nowhere', () => {
  const shakeHands = (socket: Socket) =>
    new Promise<boolean>(resolve => {
      const secure = connectTls({ socket, rejectUnauthorized: false }, () => resolve(true))
      secure.once('error', () => resolve(false)).once('close', () => resolve(false))
    })

  it('of many addresses do not keep a visitor of another network out', async () => {
    const arrival = { handshakes: 8, handshakesPerAddress: 2, handshakesPerNetwork: 4 }
    const bench = await createCrowdedBench({ tls, limits: { arrival } })
    const crowd: Socket[] = []
    for (const address of ['203.0.1.1', '203.0.1.2', '203.0.2.1', '203.0.2.2']) {
      for (let count = 0; count < 2; count += 1) {
        const socket = come(bench.port, address)
        await once(socket, 'connect')
        crowd.push(socket)
      }
    }
    // Beyond the share of its network; the answer also tells that everybody before is inside.
    expect(await shakeHands(come(bench.port, '203.0.1.3'))).toBe(false)
    expect(await shakeHands(come(bench.port, '198.51.100.1'))).toBe(true)
    await until(() => crowd.some(isGone))
    expect(crowd.map(isGone).filter(Boolean)).toHaveLength(1)
  })

  it('are ended in time', async () => {
    const bench = await createCrowdedBench({ tls, limits: { arrival: { handshakeMs: 50 } } })
    const socket = come(bench.port, '203.0.113.1')
    socket.resume()
    await once(socket, 'close')
  })
})

describe('new connections', () => {
  const visit = (port: number, address: string) => {
    const socket = come(port, address)
    socket.write('GET / HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n')
    return statusOf(socket)
  }
  const slow = {
    newConnectionsPerAddressPerSecond: 0.001,
    newConnectionsPerNetworkPerSecond: 0.001,
  }

  it('of one address are reset beyond its burst, and nobody else’s are', async () => {
    const arrival = { ...slow, newConnectionsPerAddressBurst: 3 }
    const { port } = await createCrowdedBench({ limits: { arrival } })
    for (let count = 0; count < 3; count += 1) expect(await visit(port, '203.0.113.1')).toBe(200)
    const late = come(port, '203.0.113.1')
    const [error] = await once(late, 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
    expect(await visit(port, '203.0.113.2')).toBe(200)
  })

  it('of one network are reset beyond its burst; an address that is refused takes nothing of it', async () => {
    const bursts = { newConnectionsPerAddressBurst: 2, newConnectionsPerNetworkBurst: 4 }
    const { port } = await createCrowdedBench({ limits: { arrival: { ...slow, ...bursts } } })
    const statuses: number[] = []
    for (const address of ['1', '1', '1', '1', '1', '2', '2', '3']) {
      statuses.push(await visit(port, `203.0.113.${address}`))
    }
    expect(statuses).toEqual([200, 200, 0, 0, 0, 200, 200, 0])
    expect(await visit(port, '203.0.114.1')).toBe(200)
  })

  it('of a trusted proxy are not counted', async () => {
    const arrival = { ...slow, newConnectionsPerAddressBurst: 2 }
    const { port } = await createCrowdedBench({
      limits: { arrival },
      trustedProxies: [proxy, '10.0.0.0/8'],
    })
    for (let count = 0; count < 5; count += 1) expect(await visit(port, '10.1.2.3')).toBe(200)
  })
})

describe('new connections of everybody', () => {
  const visit = (port: number, address: string) => {
    const socket = come(port, address)
    socket.write('GET / HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n')
    return statusOf(socket)
  }

  it('are reset beyond their burst, on all ports, and one line of the log tells', async () => {
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    const { port } = await createCrowdedBench({
      limits: { arrival: { newConnectionsBurst: 3, newConnectionsPerSecond: 0.001 } },
      logger: createLogger({ level: 'warn', name: 'relay', destination }),
    })
    for (let last = 1; last <= 3; last += 1) expect(await visit(port, `203.0.${last}.1`)).toBe(200)
    for (let last = 4; last <= 9; last += 1) {
      const [error] = await once(come(port, `203.0.${last}.1`), 'error')
      expect(error).toMatchObject({ code: 'ECONNRESET' })
    }
    expect(lines.map(line => JSON.parse(line).msg)).toEqual([
      'more new connections than the relay takes were reset',
    ])
  })

  it('that come in crowds run out first once half of it is spent', async () => {
    const slow = {
      newConnectionsPerSecond: 0.001,
      newConnectionsPerAddressPerSecond: 0.001,
      newConnectionsPerNetworkPerSecond: 0.001,
    }
    const bursts = { newConnectionsBurst: 40, newConnectionsPerAddressBurst: 24 }
    const { port } = await createCrowdedBench({ limits: { arrival: { ...slow, ...bursts } } })
    const crowd: number[] = []
    for (let count = 0; count < 24; count += 1) crowd.push(await visit(port, '203.0.113.1'))
    // Twenty are half of forty. What is left of its own 24 is not enough for one that counts as eight.
    expect(crowd).toEqual([...Array(20).fill(200), ...Array(4).fill(0)])
    for (let last = 1; last <= 20; last += 1) {
      expect(await visit(port, `198.51.${last}.1`)).toBe(200)
    }
  })
})

describe('a full door', () => {
  const slots = { door: { connections: 6 } }
  const get = 'GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n'
  /** A visitor whose first request was answered, so that it is inside. */
  async function enter(port: number, address: string): Promise<Socket> {
    const socket = come(port, address)
    socket.write(get)
    expect(await statusOf(socket)).toBe(200)
    return socket
  }

  it.each([
    ['that say nothing more', ''],
    ['that never finish a head', 'GET / HTTP/1.1\r\nHost: '],
  ])('closes connections %s, of the address that has most', async (_, rest) => {
    const { port } = await createCrowdedBench({ limits: slots })
    const honest = await enter(port, '198.51.100.1')
    const other = await enter(port, '203.0.114.1')
    const crowd: Socket[] = []
    for (let count = 0; count < 4; count += 1) {
      const socket = await enter(port, '203.0.113.1')
      if (rest !== '') socket.write(rest)
      crowd.push(socket)
    }
    const newcomer = await enter(port, '198.51.100.2')
    await until(() => crowd.filter(isGone).length === 2)
    expect(crowd.map(isGone)).toEqual([true, true, false, false])
    for (const socket of [honest, other, newcomer]) {
      socket.write(get)
      expect(await statusOf(socket)).toBe(200)
    }
  })

  it('closes nobody who waits for an answer', async () => {
    const bench = await createCrowdedBench({ limits: slots })
    const slow = 'http://192.168.1.66:80'
    bench.server.setRoute(bench.route({ target: slow }))
    const link = await bench.link({ hang: slow })
    const waiting = ['203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.1', '203.0.113.1']
    for (const [index, address] of [...waiting, '203.0.113.2'].entries()) {
      come(bench.port, address).write('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n')
      await until(() => link.targets.length === index + 1)
    }
    const late = come(bench.port, '198.51.100.1')
    late.write(get)
    expect(await statusOf(late)).toBe(0)
  })

  it('closes those who came first where nobody has more than another', async () => {
    const { port } = await createCrowdedBench({ limits: slots })
    const crowd: Socket[] = []
    for (let last = 1; last <= 6; last += 1) crowd.push(await enter(port, `203.0.113.${last}`))
    await enter(port, '198.51.100.1')
    await until(() => crowd.some(isGone))
    expect(isGone(crowd[0] as Socket)).toBe(true)
  })
})
