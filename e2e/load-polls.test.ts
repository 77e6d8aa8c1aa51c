import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it, vi } from 'vitest'
import { inMib, MIB } from './support/load.ts'
import type { MemoryReport } from './support/memory-peak.ts'
import { startHomeport } from './support/processes.ts'

// Long polls of sign-ons on real sockets: what many cost, that a whole one lives through the relay's door, and that a stop answers all.

const program = fileURLToPath(new URL('support/server-program.ts', import.meta.url))

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** A browser of its own, behind one of 200 addresses. */
interface Poller {
  /** Polls; answered in vain it polls again, as long as `isPolling` says so. */
  poll(): void
  /** How many answers came, and the last one. */
  seen(): { answers: number; last: string }
  close(): void
}

function openPoller(
  port: number,
  index: number,
  { seconds, isPolling }: { seconds: number; isPolling: () => boolean },
): Poller {
  const id = String(index).padStart(22, 'a')
  const request =
    `GET /sso/events?timeout=${seconds}&category=weixin-oauth-${id}&since_time=0 HTTP/1.1\r\n` +
    `Host: localhost:${port}\r\nCookie: hp_pre=${id}\r\nAccept: application/json\r\n` +
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36\r\n\r\n'
  const localAddress = `127.0.1.${1 + (index % 200)}`
  const socket: Socket = connect({ host: '127.0.0.1', port, localAddress })
  let answers = 0
  let last = ''
  const poll = () => void socket.write(request)
  socket.on('error', () => socket.destroy())
  socket.on('data', bytes => {
    // A slow machine takes longer to open thousands than one of them waits.
    if (isPolling()) return poll()
    answers += 1
    last = bytes.toString()
  })
  return { poll, seen: () => ({ answers, last }), close: () => socket.destroy() }
}

async function startServer(): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(program, { execArgv: ['--expose-gc'] })
  closers.push(() => child.kill('SIGKILL'))
  const [port] = (await once(child, 'message')) as [number]
  return { child, port }
}

async function ask<Answer>(child: ChildProcess, order: 'report' | 'count'): Promise<Answer> {
  child.send(order)
  const [answer] = (await once(child, 'message')) as [Answer]
  return answer
}

/** Waits until each of them was answered with a success. */
async function untilAnswered(pollers: readonly Poller[], timeoutMs: number): Promise<void> {
  const isWaiting = (poller: Poller) => poller.seen().answers === 0
  await vi.waitFor(() => expect(pollers.filter(isWaiting).length).toBe(0), timeoutMs)
  for (const poller of pollers) expect(poller.seen().last).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
}

it('5,000 that wait cost the server less than 150 MiB, and a stop answers every one', async () => {
  const count = 5_000
  const { child, port } = await startServer()
  const before = await ask<MemoryReport>(child, 'report')
  let isPolling = true
  const pollers: Poller[] = []
  closers.push(() => {
    for (const poller of pollers) poller.close()
  })
  const startedAt = performance.now()
  while (pollers.length < count) {
    const poller = openPoller(port, pollers.length, { seconds: 29, isPolling: () => isPolling })
    pollers.push(poller)
    poller.poll()
    // In portions: a listener's backlog holds some hundreds.
    if (pollers.length % 100 > 0) continue
    const isTaken = async () =>
      expect(await ask<number>(child, 'count')).toBeGreaterThan(pollers.length - 50)
    await vi.waitFor(isTaken, { timeout: 30_000, interval: 10 })
  }
  await vi.waitFor(async () => expect(await ask<number>(child, 'count')).toBe(count), 30_000)
  const waiting = await ask<MemoryReport>(child, 'report')
  const grown = waiting.rssBytes - before.rssBytes
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const held = inMib(waiting.heldBytes - before.heldBytes)
  console.log(`${count} polls after ${seconds} s: RSS + ${inMib(grown)}, in use + ${held}`)
  expect(grown).toBeLessThan(150 * MIB)

  isPolling = false
  child.send('stop')
  await untilAnswered(pollers, 60_000)
  await once(child, 'exit')
}, 300_000)

it('waits its whole 30 seconds behind the door of the relay, and is answered when that stops', async () => {
  const homeport = await startHomeport()
  closers.push(() => homeport.dispose())
  const open = (index: number) =>
    openPoller(homeport.port, index, { seconds: 30, isPolling: () => false })
  const whole = open(0)
  const startedAt = performance.now()
  whole.poll()
  await untilAnswered([whole], 60_000)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(30_000)
  expect(whole.seen().last).toMatch(/\{"timeout":30,"timestamp":\d{13}\}/)

  const pollers = Array.from({ length: 50 }, (_, index) => open(index + 1))
  for (const poller of pollers) poller.poll()
  // Taken behind all of them, over the same door: the server has every poll by then.
  expect((await fetch(`${homeport.url}/healthz`)).status).toBe(200)
  const stopped = homeport.stop()
  await untilAnswered(pollers, 10_000)
  expect(await stopped).toBe(0)
  for (const poller of [whole, ...pollers]) poller.close()
})
