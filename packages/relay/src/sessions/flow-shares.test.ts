import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createLogger, type Logger } from '@homeport/runtime'
import { createManualClock } from '@homeport/runtime/testing'
import { describe, expect, it } from 'vitest'
import { createTestDevice, linkAgent } from '../testing/agent.ts'
import { createBench, serveHttp, whenDone } from '../testing/bench.ts'
import { createFlowShares } from './flow-shares.ts'
import { defaultLinkLimits, type LinkLimits } from './limits.ts'

const proxy = '127.0.0.2'

/** A relay whose record `slow` begins its answers and never ends them; `hold` is a visitor who waits for one. */
async function createHeldBench(links: Partial<LinkLimits>, logger?: Logger) {
  const bench = await createBench({
    ...(logger !== undefined && { logger }),
    limits: { links },
    proxyProtocol: 'door',
    trustedProxies: [proxy, '10.0.0.0/8'],
  })
  const endless = createServer((_, answer) => answer.write('begun'))
  const target = `http://127.0.0.1:${await serveHttp(endless)}`
  bench.server.setRoute(bench.route({ host: 'slow.localhost', record: 8, target }))
  bench.server.setRoute(bench.route())
  await bench.link()
  function come(host: string, address = '203.0.113.1'): Socket {
    const socket = connect({ port: bench.port, host: '127.0.0.1', localAddress: proxy })
    whenDone(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write(`PROXY TCP4 ${address} 192.0.2.1 4000 443\r\n`)
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}.localhost\r\n\r\n`)
    return socket
  }
  /** The answer's head. */
  async function answerOf(host: string, address?: string): Promise<string> {
    const socket = come(host, address)
    const [chunk] = await once(socket, 'data')
    return chunk.toString('latin1')
  }
  async function hold(address?: string): Promise<Socket> {
    const socket = come('slow', address)
    expect((await once(socket, 'data'))[0].toString('latin1')).toMatch(/^HTTP\/1\.1 200 /)
    return socket
  }
  return { ...bench, come, answerOf, hold }
}

/** Another device that is here, and its record. */
async function addCamera(bench: Awaited<ReturnType<typeof createHeldBench>>): Promise<void> {
  const cam = createTestDevice('cam')
  bench.server.keys.set(cam.uid, cam.publicKey)
  await linkAgent(bench.port, cam)
  bench.server.setRoute(bench.route({ host: 'cam.localhost', record: 9, device: 'cam' }))
}

const ok = /^HTTP\/1\.1 200 /
const busy = /^HTTP\/1\.1 503 .*Retry-After: 5\r\n.*"code":"busy"/s

describe('a record', () => {
  it('has so many flows at a time, and its device’s other records are unharmed', async () => {
    const bench = await createHeldBench({ flowsPerRecord: 2 })
    const first = await bench.hold('203.0.113.1')
    await bench.hold('203.0.113.2')
    expect(await bench.answerOf('slow', '203.0.113.3')).toMatch(busy)
    expect(await bench.answerOf('nas', '203.0.113.3')).toMatch(ok)
    // A visitor who only half-closes may still be reading; one who resets has gone.
    first.resetAndDestroy()
    await expect.poll(() => bench.answerOf('slow', '203.0.113.3')).toMatch(ok)
  })

  it('gives one visitor so many of them, and others theirs', async () => {
    const bench = await createHeldBench({ flowsPerVisitor: 2 })
    await bench.hold('203.0.113.1')
    await bench.hold('203.0.113.1')
    expect(await bench.answerOf('slow', '203.0.113.1')).toMatch(busy)
    expect(await bench.answerOf('nas', '203.0.113.1')).toMatch(ok)
    await bench.hold('203.0.113.2')
  })

  it('counts a trusted proxy that names nobody as many visitors', async () => {
    const bench = await createHeldBench({ flowsPerVisitor: 1 })
    for (let count = 0; count < 3; count += 1) await bench.hold('10.1.2.3')
  })

  it('counts no flow that did not come about', async () => {
    const bench = await createHeldBench({ flowsPerRecord: 1 })
    bench.server.setRoute(bench.route({ host: 'off.localhost', record: 9, device: 'off' }))
    for (let count = 0; count < 3; count += 1) {
      expect(await bench.answerOf('off')).toContain('"code":"device_offline"')
    }
  })

  it('has so many new flows in a burst; requests on a kept connection are none', async () => {
    const limits = { newFlowsPerRecordBurst: 2, newFlowsPerRecordPerSecond: 0.001 }
    const bench = await createHeldBench(limits)
    const kept = bench.come('nas')
    expect((await once(kept, 'data'))[0].toString('latin1')).toMatch(ok)
    expect(await bench.answerOf('nas')).toMatch(ok)
    expect(await bench.answerOf('nas')).toMatch(busy)
    for (let round = 0; round < 5; round += 1) {
      kept.write('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n')
      expect((await once(kept, 'data'))[0].toString('latin1')).toMatch(ok)
    }
    await bench.hold()
  })
})

describe('a device', () => {
  it('has so many flows at a time over all its records, and other devices are unharmed', async () => {
    // The control stream counts as one.
    const bench = await createHeldBench({ flowsPerDevice: 3 })
    await bench.hold()
    await bench.hold()
    expect(await bench.answerOf('nas')).toMatch(busy)
    await addCamera(bench)
    expect(await bench.answerOf('cam')).toMatch(ok)
  })

  it('has so many new flows in a burst over all its records, and other devices theirs', async () => {
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    const limits = { newFlowsPerDeviceBurst: 2, newFlowsPerDevicePerSecond: 0.001 }
    const logger = createLogger({ level: 'warn', name: 'relay', destination })
    const bench = await createHeldBench(limits, logger)
    await bench.hold()
    expect(await bench.answerOf('nas')).toMatch(ok)
    for (const host of ['nas', 'slow', 'nas']) expect(await bench.answerOf(host)).toMatch(busy)
    await addCamera(bench)
    expect(await bench.answerOf('cam')).toMatch(ok)
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { msg: 'too many new flows to one device were refused', device: 'nas' },
    ])
  })
})

it('counts come back, once for each flow, and rates with time', () => {
  const clock = createManualClock()
  const limits = { ...defaultLinkLimits, newFlowsPerRecordBurst: 4, newFlowsPerRecordPerSecond: 1 }
  const shares = createFlowShares({
    limits: { ...limits, flowsPerRecord: 2, flowsPerVisitor: 1 },
    clock,
    logger: createLogger({ level: 'silent', name: 'relay' }),
    isTrusted: () => false,
  })
  const to = (record: number) => ({ record, device: 'nas' })
  const leave = shares.enter(to(1), '192.0.2.1')
  expect(() => shares.enter(to(1), '192.0.2.1')).toThrow(/of this visitor/)
  const leaveOther = shares.enter(to(1), '2001:db8::1')
  expect(() => shares.enter(to(1), '192.0.2.9')).toThrow(/to this record/)
  shares.enter(to(2), '192.0.2.1')
  leave()
  leave()
  shares.enter(to(1), '192.0.2.1')
  expect(() => shares.enter(to(1), '192.0.2.9')).toThrow(/too many flows to this record/)
  leaveOther()
  const again = shares.enter(to(1), '2001:db8::2')
  again()
  expect(() => shares.enter(to(1), '2001:db8::2')).toThrow(/new flows/)
  clock.advance(1_000)
  shares.enter(to(1), '2001:db8::2')
})
