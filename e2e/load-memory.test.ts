import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { limitsOf, relayMemory, sumMemory } from '@homeport/relay'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Bench, createBench, inMib, MIB, routeTo, waitUntil } from './support/load.ts'
import { patternOf } from './support/pattern.ts'
import { freePort, startHomeport } from './support/processes.ts'

const visitorCount = 48
// Room for a window of 256 KiB of each: nobody has to go.
const limits = {
  door: { connections: visitorCount },
  links: { links: 8, handshakes: 8, unreadBytes: (visitorCount * MIB) / 4 },
  ports: { connections: 1 },
}

let bench: Bench
const sockets: Socket[] = []
const closers: (() => void)[] = []
beforeEach(() => {
  bench = createBench()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const close of closers.splice(0)) close()
  await bench.dispose()
})

/** A page that answers without end and reads no body. */
async function serveDeafHome(): Promise<string> {
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => socket.destroy())
    socket.once('data', () => {
      socket.pause()
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${1024 * MIB}\r\n\r\n`)
      patternOf(1024 * MIB).pipe(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A visitor with a long head and a long body who reads nothing of the answer. */
function visitDeaf(port: number): void {
  const socket = connect({ host: '127.0.0.1', port })
  sockets.push(socket)
  socket.on('error', () => socket.destroy())
  const field = (index: number) => `X-Field-${index}: ${'x'.repeat(8_000)}\r\n`
  const fields = Array.from({ length: 7 }, (_, index) => field(index)).join('')
  const length = `Content-Length: ${1024 * MIB}\r\n`
  socket.write(`POST / HTTP/1.1\r\nHost: nas.localhost\r\n${length}${fields}\r\n`)
  patternOf(1024 * MIB).pipe(socket)
}

it('a relay whose visitors neither read nor are read holds what the arithmetic says', async () => {
  const port = await freePort()
  const target = await serveDeafHome()
  const { folders, keys } = await bench.pair(port, ['nas'])
  const relay = await bench.startRelay({ port, keys, routes: [routeTo(1, 'nas', target)], limits })
  await bench.startAgents({ port, folders })
  const before = await relay.reportHeld()

  for (let index = 0; index < visitorCount; index += 1) visitDeaf(port)
  const terms = relayMemory(limitsOf({ limits }), false)
  const filled = terms.filter(({ what }) => /unread|door/.test(what))
  const worst = sumMemory(filled, 'worstBytes')
  const hold = async () => (await relay.reportHeld()).heldBytes - before.heldBytes
  // A bound that is never come near would say nothing; what is on its way to the buffers takes its time to fill them.
  await waitUntil(async () => (await hold()) * 4 > worst)
  let heldBefore = 0
  let stillRounds = 0
  await waitUntil(async () => {
    const now = await hold()
    stillRounds = Math.abs(now - heldBefore) < MIB / 4 ? stillRounds + 1 : 0
    heldBefore = now
    return stillRounds === 5
  })
  const after = await relay.reportHeld()
  const held = after.heldBytes - before.heldBytes
  console.log(
    `${visitorCount} visitors: relay holds + ${inMib(held)} of ${inMib(worst)}, RSS at most ` +
      `${inMib(after.peakBytes)} of ${inMib(sumMemory(terms, 'worstBytes'))}`,
  )
  expect(held).toBeLessThan(worst)
  expect(after.peakBytes).toBeLessThan(sumMemory(terms, 'worstBytes'))
})

it('an operator lowers what visitors can use', async () => {
  const homeport = await startHomeport(['--visitor-limit', '1'])
  closers.push(() => homeport.child.kill('SIGKILL'))
  const isCutOff = () =>
    new Promise(resolve => {
      const socket = connect({ host: '127.0.0.1', port: homeport.port })
      sockets.push(socket)
      socket.on('error', () => socket.destroy())
      socket.resume().once('close', () => resolve(true))
    })
  // Without the option both would stay for 75 s.
  expect(await Promise.race([isCutOff(), isCutOff()])).toBe(true)
  await homeport.dispose()
}, 30_000)
