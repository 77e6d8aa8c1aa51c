import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { LinkLimits } from '../sessions/limits.ts'
import { createBench, portOf, until, whenDone } from '../testing/bench.ts'
import type { PortLimits } from './limits.ts'

async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => server.close())
  return portOf(server)
}

/** A port that is free now. */
async function findFreePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  server.close()
  await once(server, 'close')
  return port
}

/** A service that reads everything to its end and then answers how much it was. */
const countingServer = () =>
  createServer({ allowHalfOpen: true }, socket => {
    let bytes = 0
    socket.on('data', chunk => {
      bytes += chunk.length
    })
    socket.on('end', () => socket.end(`got ${bytes}`))
    socket.on('error', () => undefined)
  })

function visitPort(port: number) {
  const socket = connect({ host: '127.0.0.1', port })
  whenDone(() => socket.destroy())
  // Reading is what notices the end.
  return socket.resume().on('error', () => undefined)
}

/** Resolves with the code of the error that closed the socket, or with `closed`. */
const endOf = (socket: Socket) =>
  new Promise<string>(resolve => {
    let end = 'closed'
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end = error.code ?? error.message
    })
    socket.once('close', () => resolve(end))
  })

/** Knocks until somebody answers the door, or nobody does. A visitor who is reset at once found a door too. */
async function untilListening(port: number, wanted: boolean) {
  for (;;) {
    const socket = visitPort(port)
    const end = endOf(socket)
    socket.once('connect', () => socket.destroy())
    if (((await end) !== 'ECONNREFUSED') === wanted) return
  }
}

/** What a visitor gets who sends this and then says no more. */
async function converse(port: number, sent: Buffer | string): Promise<string> {
  const socket = visitPort(port)
  socket.end(sent)
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  await endOf(socket)
  return text
}

async function createTcpBench(
  changes: { access?: ('public' | 'owner')[] } = {},
  limits: Partial<PortLimits> = {},
  links: Partial<LinkLimits> = {},
) {
  const bench = await createBench({ limits: { ports: limits, links } })
  const port = await findFreePort()
  const target = `tcp://127.0.0.1:${await listen(countingServer())}`
  bench.server.setRoute(bench.route({ kind: 'tcp', port, target, ...changes }))
  const change = () => bench.server.peer?.notify('routes_changed', [{ kind: 'port', port }])
  return { ...bench, tcpPort: port, change }
}

describe('a tcp record', () => {
  it('opens its port when told, carries half-closed connections whole, and counts them', async () => {
    const bench = await createTcpBench()
    await bench.link()
    bench.change()
    await untilListening(bench.tcpPort, true)
    expect(await converse(bench.tcpPort, Buffer.alloc(300_000))).toBe('got 300000')
    await bench.relay.stop()
    await until(() => bench.server.usage.length > 0)
    expect(bench.server.usage.reduce((sum, usage) => sum + usage.bytes_in, 0)).toBe(300_000)
  })

  it('opens with the welcome and closes when it is switched off, with what is open', async () => {
    const bench = await createTcpBench()
    bench.server.ports = [bench.tcpPort]
    const link = await bench.link()
    await bench.server.drop()
    bench.server.isUp = true
    await untilListening(bench.tcpPort, true)
    const before = link.targets.length
    const socket = visitPort(bench.tcpPort)
    const end = endOf(socket)
    await until(() => link.targets.length > before)
    bench.server.deny(`:${bench.tcpPort}`, 'record_disabled')
    bench.change()
    await end
    await untilListening(bench.tcpPort, false)
  })

  it('waits for a port that another program holds', async () => {
    const bench = await createTcpBench({}, { retryMs: 20 })
    const holder = createServer(socket => socket.destroy())
    await listen(holder, bench.tcpPort)
    await bench.link()
    bench.change()
    await until(() => bench.server.asked.length === 1)
    holder.close()
    await until(() => !holder.listening)
    await untilListening(bench.tcpPort, true)
    expect(await converse(bench.tcpPort, 'hi')).toBe('got 2')
  })

  it.each<[string, ('public' | 'owner')[], boolean]>([
    ['whose device is offline', ['public'], false],
    ['that is not public', ['owner'], true],
  ])('resets visitors of a record %s', async (_, access, isLinked) => {
    const bench = await createTcpBench({ access })
    if (isLinked) await bench.link()
    bench.change()
    await untilListening(bench.tcpPort, true)
    expect(await endOf(visitPort(bench.tcpPort))).toBe('ECONNRESET')
  })

  it('resets a visitor whose transfer breaks, so that half of it never looks whole', async () => {
    const server = createServer(socket => {
      socket.write('half of it')
      socket.once('data', () => socket.resetAndDestroy())
    })
    const target = `tcp://127.0.0.1:${await listen(server)}`
    const bench = await createTcpBench()
    bench.server.setRoute(bench.route({ kind: 'tcp', port: bench.tcpPort, target }))
    await bench.link()
    bench.change()
    await untilListening(bench.tcpPort, true)
    const socket = visitPort(bench.tcpPort)
    let isEndClean = false
    socket.on('end', () => {
      isEndClean = true
    })
    socket.once('data', () => socket.write('now break'))
    expect(await endOf(socket)).toBe('ECONNRESET')
    expect(isEndClean).toBe(false)
  })

  it.each<[string, Partial<PortLimits>, Partial<LinkLimits>]>([
    ['at all', { connections: 1 }, {}],
    ['at one port', { connectionsPerRecord: 1 }, {}],
    ['of one address', { connectionsPerAddress: 1 }, {}],
    ['of one address at one record', {}, { flowsPerVisitor: 1 }],
    ['at one record', {}, { flowsPerRecord: 1 }],
  ])('takes so many visitors %s, and resets the next', async (_, ports, links) => {
    const bench = await createTcpBench({}, ports, links)
    const link = await bench.link()
    bench.change()
    await untilListening(bench.tcpPort, true)
    // The visitor of the check above may still be counted.
    while ((await converse(bench.tcpPort, 'ok')) !== 'got 2');
    const before = link.targets.length
    const first = { socket: visitPort(bench.tcpPort) }
    while (link.targets.length === before) {
      const left = endOf(first.socket).then(() => visitPort(bench.tcpPort))
      const entered = until(() => link.targets.length > before).then(() => first.socket)
      first.socket = await Promise.race([left, entered])
    }
    expect(await endOf(visitPort(bench.tcpPort))).toBe('ECONNRESET')
    expect(link.targets).toHaveLength(before + 1)
    first.socket.destroy()
    await expect.poll(() => converse(bench.tcpPort, 'ok')).toBe('got 2')
  })

  it.each<[string, Partial<LinkLimits>, number]>([
    ['record', { newFlowsPerRecordBurst: 5, newFlowsPerRecordPerSecond: 0.001 }, 200],
    ['device', { newFlowsPerDeviceBurst: 5, newFlowsPerDevicePerSecond: 0.001 }, 503],
  ])(
    'takes so many new visitors of a %s in a burst, and resets the next',
    async (_, rate, other) => {
      const bench = await createTcpBench({}, {}, rate)
      await bench.link()
      bench.change()
      await untilListening(bench.tcpPort, true)
      let served = 0
      while ((await converse(bench.tcpPort, 'ok')) === 'got 2') served += 1
      // The visitor of the check above was one of the five, if it came as far as that.
      expect([4, 5]).toContain(served)
      expect(await endOf(visitPort(bench.tcpPort))).toBe('ECONNRESET')
      bench.server.setRoute(bench.route({ record: 9 }))
      expect((await bench.visit('nas.localhost')).status).toBe(other)
    },
  )
})
