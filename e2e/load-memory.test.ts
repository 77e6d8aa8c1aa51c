import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { limitsOf, relayMemory, sumMemory } from '@homeport/relay'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  ask,
  type Bench,
  createBench,
  inMib,
  MIB,
  type Reporter,
  routeTo,
  textOf,
  waitUntil,
} from './support/load.ts'
import { countPattern, patternOf } from './support/pattern.ts'
import { freePort, startHomeport } from './support/processes.ts'
import type { RelayReport } from './support/relay-program.ts'

const visitorCount = 48
// Room for a window of 256 KiB and for what one visitor can make a relay hold: nobody has to go.
const roomy = {
  carry: { heldBytes: visitorCount * 1.25 * MIB },
  door: { connections: visitorCount },
  links: { links: 8, handshakes: 8, unreadBytes: (visitorCount * MIB) / 4 },
  ports: { connections: 1 },
}
/** What a very busy machine may take until a crowd has arrived. */
const patienceMs = 120_000
const deafCount = 24
const slowCount = 1_000
// Room for a few of them.
const tight = {
  carry: { heldBytes: 12 * MIB },
  door: { connections: 2 * slowCount },
  links: { links: 8, handshakes: 8, unreadBytes: 32 * MIB },
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

/** Until nothing more is filled. */
async function untilStill(relay: Reporter<RelayReport>): Promise<void> {
  let before = 0
  let stillRounds = 0
  await waitUntil(async () => {
    const { heldBytes } = await relay.reportHeld()
    stillRounds = Math.abs(heldBytes - before) < MIB / 4 ? stillRounds + 1 : 0
    before = heldBytes
    return stillRounds === 5
  })
}

const field = (index: number) => `X-Field-${index}: ${'x'.repeat(8_000)}\r\n`
const fields = Array.from({ length: 7 }, (_, index) => field(index)).join('')

/** A visitor whose long head never ends; tells how it was answered, if at all. */
function visitSlow(port: number): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.4' })
  sockets.push(socket)
  socket.on('error', () => socket.destroy())
  socket.write(`GET / HTTP/1.1\r\nHost: nas.localhost\r\n${fields}`)
  return socket.resume()
}

/** A visitor with a long head and a long body who reads nothing of the answer. */
function visitDeaf(port: number, isTls = false): void {
  const place = { host: '127.0.0.1', port, localAddress: '127.0.0.3' }
  const socket = isTls ? connectTls({ ...place, rejectUnauthorized: false }) : connect(place)
  sockets.push(socket)
  socket.on('error', () => socket.destroy())
  const length = `Content-Length: ${1024 * MIB}\r\n`
  socket.write(`POST / HTTP/1.1\r\nHost: nas.localhost\r\n${length}${fields}\r\n`)
  patternOf(1024 * MIB).pipe(socket)
}

/** A certificate for localhost, as a file and as text. */
async function makeCertificate() {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-memory-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const tls = { certFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
  const names = ['-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', tls.keyFile, '-out', tls.certFile]
  execFileSync('openssl', ['req', '-x509', ...key.split(' '), ...names, ...files], {
    stdio: 'ignore',
  })
  return { tls, ca: await readFile(tls.certFile, 'utf8') }
}

it.each([
  ['in the clear', 'http'],
  ['over TLS', 'https'],
] as const)(
  'a relay whose visitors neither read nor are read holds what the arithmetic says, %s',
  async (_, scheme) => {
    const isTls = scheme === 'https'
    const { tls, ca } = isTls ? await makeCertificate() : { tls: null, ca: null }
    const port = await freePort()
    const target = await serveDeafHome()
    const { folders, keys } = await bench.pair(port, ['nas'], scheme)
    const relay = await bench.startRelay({
      port,
      keys,
      routes: [routeTo(1, 'nas', target)],
      limits: roomy,
      tls,
    })
    await bench.startAgents({ port, server: `${scheme}://localhost:${port}`, ca, folders })
    const before = await relay.reportHeld()

    for (let index = 0; index < visitorCount; index += 1) visitDeaf(port, isTls)
    const terms = relayMemory(limitsOf({ limits: roomy }), isTls)
    const filled = terms.filter(({ what }) => /unread|held|door/.test(what))
    const worst = sumMemory(filled, 'worstBytes')
    // A bound that is never come near would say nothing; what is on its way to the buffers takes its time to fill them.
    const isNear = async () => (await relay.reportHeld()).heldBytes - before.heldBytes > worst / 4
    await waitUntil(isNear, patienceMs)
    await untilStill(relay)
    const after = await relay.reportHeld()
    const held = after.heldBytes - before.heldBytes
    console.log(
      `${visitorCount} visitors ${scheme}: relay holds + ${inMib(held)} of ${inMib(worst)}, RSS at most ` +
        `${inMib(after.peakBytes)} of ${inMib(sumMemory(terms, 'worstBytes'))}`,
    )
    expect(held).toBeLessThan(worst)
    expect(relay.output()).not.toContain('were cut')
    expect(after.peakBytes).toBeLessThan(sumMemory(terms, 'worstBytes'))
  },
  300_000,
)

it('visitors who make a relay hold all they can are cut before it holds more, and others are unharmed', async () => {
  const port = await freePort()
  const deaf = await serveDeafHome()
  const home = await bench.serveHome((asked, answer) => {
    if (asked.method === 'POST') asked.pipe(answer)
    else answer.end('at home')
  })
  const { folders, keys } = await bench.pair(port, ['nas', 'two'])
  const routes = [routeTo(1, 'nas', deaf), routeTo(2, 'two', home)]
  const relay = await bench.startRelay({ port, keys, routes, limits: tight })
  await bench.startAgents({ port, folders })
  const before = await relay.reportHeld()

  for (let index = 0; index < deafCount; index += 1) visitDeaf(port)
  await waitUntil(() => relay.output().includes('visitors held more than the limit'), patienceMs)
  await untilStill(relay)
  // While those hold what they can, a visitor sends much and reads it again, and a crowd comes.
  const bytes = 16 * MIB
  const echo = await ask(port, 'two.localhost', '/', patternOf(bytes))
  const whole = countPattern(echo)
  let cutCount = 0
  for (let index = 0; index < slowCount; index += 1) {
    visitSlow(port).once('close', () => {
      cutCount += 1
    })
  }
  await waitUntil(() => cutCount > slowCount / 2, patienceMs)
  for (let round = 0; round < 20; round += 1) {
    expect(await textOf(await ask(port, 'two.localhost', '/'))).toBe('at home')
  }
  const terms = relayMemory(limitsOf({ limits: tight }), false)
  const filled = terms.filter(({ what }) => /unread|held|door/.test(what))
  const worst = sumMemory(filled, 'worstBytes')
  const after = await relay.reportHeld()
  const held = after.heldBytes - before.heldBytes
  console.log(
    `${slowCount} slow heads, ${deafCount} deaf: ${cutCount} heads cut, relay holds + ${inMib(held)} of ${inMib(worst)}, RSS at most ` +
      `${inMib(after.peakBytes)} of ${inMib(sumMemory(terms, 'worstBytes'))}`,
  )
  expect(held).toBeLessThan(worst)
  expect(after.peakBytes).toBeLessThan(sumMemory(terms, 'worstBytes'))
  expect(await whole).toBe(bytes)
}, 300_000)

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
