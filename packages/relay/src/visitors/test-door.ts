import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '@homeport/tunnel'
import type { FlowRecord } from '../carry/flow-record.ts'
import { createTestHeld } from '../testing/held.ts'
import { createDoor, type Door, type DoorOptions } from './door.ts'
import { createHeadRewrite } from './head-rewrite.ts'
import type { Passage, Resolve } from './passage.ts'

/** Test support: a door on a real listener, raw targets and raw visitors. */
export interface TestDoor {
  readonly port: number
  readonly door: Door
  readonly records: FlowRecord[]
  /** Messages of the door's log: `error` ones are faults of the relay. */
  readonly faults: string[]
  close(): Promise<void>
}

/** Listens on a free loopback port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Opens TCP connections to a loopback port. */
export const dialPort = (port: number) => ({
  open: () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.once('connect', () => resolve(socket)).once('error', reject)
    }),
})

/** A passage to a loopback target. */
export const passageTo = (
  port: number,
  extra: Partial<Passage & { kind: 'forward' }> & { hostHeader?: string } = {},
): Passage & { kind: 'forward' } => ({
  kind: 'forward',
  upstream: dialPort(port),
  key: `port:${port}`,
  rewrite: createHeadRewrite({
    hostHeader: extra.hostHeader ?? 'public',
    target: `http://127.0.0.1:${port}`,
  }),
  ...extra,
})

/** Starts a door; a number as `resolve` forwards everything to that loopback port. */
export async function startDoor(
  resolve: number | Resolve,
  options: Partial<DoorOptions> = {},
): Promise<TestDoor> {
  const records: FlowRecord[] = []
  const faults: string[] = []
  const onEnd = (record: FlowRecord) => records.push(record)
  const forward = typeof resolve === 'number' ? passageTo(resolve, { onEnd }) : null
  const door = createDoor({
    resolve: forward === null ? (resolve as Resolve) : () => forward,
    log: { debug: () => undefined, error: (_, message) => faults.push(message) },
    held: createTestHeld(),
    ...options,
  })
  const server = createServer({ allowHalfOpen: true }, socket => door.accept(socket))
  const port = await listen(server)
  return {
    port,
    door,
    records,
    faults,
    async close() {
      server.close()
      await door.drain(0)
    },
  }
}

/** A target that does with each connection what the test says. */
export async function startTarget(serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    serve(socket)
  })
  const port = await listen(server)
  return {
    port,
    sockets,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A raw visitor that remembers everything it was sent, as latin1. */
export interface RawVisitor {
  readonly socket: Socket
  received(): string
  send(bytes: string | Buffer): void
  /** Waits until what was received holds `part`; fails when the connection ends first. */
  until(part: string): Promise<string>
  /** Waits for the end of the connection: what was received, and whether it was cut. */
  closed(): Promise<{ text: string; isCut: boolean }>
}

/** Connects a raw visitor. */
export function visit(port: number): RawVisitor {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  let isEnded = false
  let isGone = false
  const waits = new Set<() => void>()
  const wake = () => {
    for (const wait of waits) wait()
  }
  socket.setNoDelay(true)
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    wake()
  })
  socket.on('end', () => {
    isEnded = true
    socket.end()
    wake()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isGone = true
    wake()
  })
  const wait = <T>(check: () => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      const attempt = () => {
        try {
          const found = check()
          if (found === undefined) return
          resolve(found)
        } catch (error) {
          reject(error as Error)
        }
        waits.delete(attempt)
      }
      waits.add(attempt)
      attempt()
    })
  return {
    socket,
    received: () => text,
    send: bytes => {
      socket.write(bytes as string, 'latin1')
    },
    until: part =>
      wait(() => {
        if (text.includes(part)) return text
        if (isEnded || isGone) throw new Error(`ended before ${JSON.stringify(part)}: ${text}`)
        return undefined
      }),
    closed: () => wait(() => (isGone ? { text, isCut: !isEnded } : undefined)),
  }
}

/** Sends bytes and collects what comes until the connection ends. */
export async function ask(port: number, bytes: string | Buffer): Promise<string> {
  const visitor = visit(port)
  visitor.send(bytes)
  return (await visitor.closed()).text
}

/** A clock that stands until a test moves it. */
export interface ManualClock extends Clock {
  advance(ms: number): void
}

/** Makes a manual clock; timers run in order of their time while it is moved. */
export function createManualClock(): ManualClock {
  let now = 0
  const timers = new Map<object, { at: number; run: () => void }>()
  return {
    now: () => now,
    setTimeout(run, delayMs) {
      const handle = {}
      timers.set(handle, { at: now + delayMs, run })
      return handle
    },
    clearTimeout: handle => void timers.delete(handle as object),
    advance(ms) {
      const end = now + ms
      for (;;) {
        const due = [...timers].filter(([, timer]) => timer.at <= end)
        const next = due.sort((a, b) => a[1].at - b[1].at)[0]
        if (next === undefined) break
        timers.delete(next[0])
        now = Math.max(now, next[1].at)
        next[1].run()
      }
      now = end
    },
  }
}

/** Runs clean-ups of a test file, last made first. */
export function createCleanups() {
  const steps: (() => unknown)[] = []
  return {
    async run() {
      for (const step of steps.splice(0).reverse()) await step()
    },
    async door(...options: Parameters<typeof startDoor>) {
      const started = await startDoor(...options)
      steps.push(started.close)
      return started
    },
    async target(serve: (socket: Socket) => void) {
      const started = await startTarget(serve)
      steps.push(started.close)
      return started
    },
    /** A target by node's own server: a second reader of what the door writes. */
    async httpTarget(serve: RequestListener) {
      const server = createHttpServer(serve)
      const port = await listen(server)
      steps.push(
        () => server.close(),
        () => server.closeAllConnections(),
      )
      return port
    },
    add: (step: () => unknown) => void steps.push(step),
  }
}
