import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import type { ControlChannel } from './channel.ts'
import type { Route, RouteDecision } from './methods.ts'
import { ControlError, createRelayPeer, createServerPeer } from './peer.ts'
import { createPortChannel } from './port-channel.ts'

interface Pair {
  left: ControlChannel
  right: ControlChannel
  /** Puts a raw message on the wire towards `right`. */
  sendRaw(message: unknown): void
}

/** Two ends in one thread that hand messages over in the next microtask. */
function createMemoryPair(): Pair {
  const end = () => ({
    isClosed: false,
    message: (_: unknown) => {},
    close: () => {},
  })
  const ends = [end(), end()] as const
  const shut = () => {
    for (const each of ends) {
      if (each.isClosed) continue
      each.isClosed = true
      queueMicrotask(() => each.close())
    }
  }
  const channel = (own: (typeof ends)[number], other: (typeof ends)[number]): ControlChannel => ({
    send(message) {
      if (own.isClosed) return
      const copy = structuredClone(message)
      queueMicrotask(() => other.message(copy))
    },
    onMessage: listener => {
      own.message = listener
    },
    onClose: listener => {
      own.close = listener
    },
    close: shut,
  })
  const left = channel(ends[0], ends[1])
  return { left, right: channel(ends[1], ends[0]), sendRaw: message => left.send(message) }
}

function createPortPair(): Pair {
  const { port1, port2 } = new MessageChannel()
  const left = createPortChannel(port1)
  return { left, right: createPortChannel(port2), sendRaw: message => port1.postMessage(message) }
}

const route: Route = {
  record: 7,
  device: 'device-uid',
  device_id: 3,
  owner: 2,
  kind: 'http',
  host: 'nas.localhost',
  port: null,
  target: 'http://192.168.1.2:80',
  access: ['owner'],
  options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
}
const decision: RouteDecision = { allow: true, route, max_age_ms: 1000 }
const session = {
  device: 'device-uid',
  session: 's1',
  agent_version: '0.1.0',
  model: '',
  public_ip: '203.0.113.9',
  lan_ip: '192.168.1.9',
  connected_at: 1,
}

type ServerHandlers = Parameters<typeof createServerPeer>[1]
type RelayHandlers = Parameters<typeof createRelayPeer>[1]

/** A list that grows as messages come, and can be waited for. */
function createInbox<T>() {
  const items: T[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  return {
    items,
    push(item: T) {
      items.push(item)
      for (const wait of waiting) if (items.length >= wait.count) wait.resolve()
    },
    has: (count: number) =>
      new Promise<void>(resolve => {
        if (items.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
  }
}

const open: Pair[] = []
afterEach(() => {
  for (const pair of open.splice(0)) {
    pair.left.close()
    pair.right.close()
  }
})

function connect(
  createPair: () => Pair,
  server: Partial<ServerHandlers> = {},
  relay: Partial<RelayHandlers> = {},
) {
  const pair = createPair()
  open.push(pair)
  const heard = createInbox<{ method: string; params: unknown }>()
  const relayFaults = createInbox<{ method: string; cause: unknown }>()
  const serverFaults = createInbox<{ method: string; cause: unknown }>()
  const note = (method: string) => (params: unknown) => heard.push({ method, params })
  const relayPeer = createRelayPeer(
    pair.left,
    {
      probe: () => [],
      routes_changed: note('routes_changed'),
      device_revoked: note('device_revoked'),
      console_session_ended: note('console_session_ended'),
      ...relay,
    },
    relayFaults.push,
  )
  const serverPeer = createServerPeer(
    pair.right,
    {
      hello: () => ({
        gate_key: 'k',
        console_url: 'http://localhost:8080',
        tunnel_domain: 'localhost',
        ended_sessions: [],
        ports: [],
      }),
      resolve: () => decision,
      device_key: () => null,
      session_opened: note('session_opened'),
      session_closed: note('session_closed'),
      usage: note('usage'),
      ...server,
    },
    serverFaults.push,
  )
  return { pair, relayPeer, serverPeer, heard, relayFaults, serverFaults }
}

async function failureOf(promise: Promise<unknown>): Promise<ControlError> {
  const outcome = await promise.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  )
  if (!('error' in outcome)) throw new Error('the request was answered')
  if (!(outcome.error instanceof ControlError)) throw outcome.error
  return outcome.error
}

describe.each([
  ['memory channel', createMemoryPair],
  ['port channel', createPortPair],
])('control link over a %s', (_, createPair) => {
  it('answers requests both ways', async () => {
    const { relayPeer, serverPeer } = connect(
      createPair,
      { device_key: ({ device }) => ({ public_key: `key of ${device}` }) },
      { probe: asked => [{ step: 'target', ok: true, ms: 1, code: '', hint: asked.target }] },
    )
    expect(await relayPeer.request('resolve', { kind: 'port', port: 20_000 })).toEqual(decision)
    expect(await relayPeer.request('device_key', { device: 'a' })).toEqual({
      public_key: 'key of a',
    })
    expect(await serverPeer.request('probe', route)).toEqual([
      { step: 'target', ok: true, ms: 1, code: '', hint: route.target },
    ])
  })

  it('gives each of many requests in flight its own answer, whatever their order', async () => {
    const gates = new Map<string, () => void>()
    const asked = createInbox<string>()
    const { relayPeer } = connect(createPair, {
      device_key: async ({ device }) => {
        await new Promise<void>(resolve => {
          gates.set(device, resolve)
          asked.push(device)
        })
        return { public_key: device }
      },
    })
    const answers = ['a', 'b', 'c'].map(device => relayPeer.request('device_key', { device }))
    await asked.has(3)
    for (const device of ['c', 'a', 'b']) gates.get(device)?.()
    expect(await Promise.all(answers)).toEqual([
      { public_key: 'a' },
      { public_key: 'b' },
      { public_key: 'c' },
    ])
  })

  it('delivers notices in order', async () => {
    const { relayPeer, serverPeer, heard } = connect(createPair)
    relayPeer.notify('session_opened', session)
    relayPeer.notify('session_closed', { device: 'device-uid', session: 's1', reason: 'gone' })
    await heard.has(2)
    serverPeer.notify('device_revoked', { device: 'device-uid', code: 'deleted' })
    await heard.has(3)
    expect(heard.items.map(({ method }) => method)).toEqual([
      'session_opened',
      'session_closed',
      'device_revoked',
    ])
  })

  it('rejects a request whose answer does not come in time, and drops the late answer', async () => {
    let release = (): void => {}
    const { relayPeer } = connect(createPair, {
      resolve: () =>
        new Promise<RouteDecision>(resolve => {
          release = () => resolve(decision)
        }),
    })
    const late = relayPeer.request('resolve', { kind: 'port', port: 1 }, { timeoutMs: 20 })
    expect((await failureOf(late)).code).toBe('timeout')
    release()
    expect(await relayPeer.request('device_key', { device: 'a' })).toBeNull()
  })

  it('rejects what waits when the link closes, and every request after that', async () => {
    const asked = createInbox<true>()
    const { relayPeer, serverPeer } = connect(createPair, {
      resolve: () => {
        asked.push(true)
        return new Promise<RouteDecision>(() => {})
      },
    })
    const waiting = failureOf(relayPeer.request('resolve', { kind: 'port', port: 1 }))
    await asked.has(1)
    serverPeer.close()
    expect((await waiting).code).toBe('closed')
    await Promise.all([relayPeer.closed, serverPeer.closed])
    expect((await failureOf(relayPeer.request('device_key', { device: 'a' }))).code).toBe('closed')
    expect((await failureOf(serverPeer.request('probe', route))).code).toBe('closed')
  })

  it('drops notices after close', async () => {
    const { relayPeer, serverPeer, heard } = connect(createPair)
    relayPeer.close()
    await Promise.all([relayPeer.closed, serverPeer.closed])
    relayPeer.notify('session_opened', session)
    await new Promise(resolve => setImmediate(resolve))
    expect(heard.items).toEqual([])
  })

  it('answers `failed` without telling why, and reports the cause on its own side', async () => {
    const { relayPeer, serverFaults } = connect(createPair, {
      resolve: () => {
        throw new Error('secret detail')
      },
    })
    const failure = await failureOf(relayPeer.request('resolve', { kind: 'port', port: 1 }))
    expect(failure.code).toBe('failed')
    expect(failure.message).not.toContain('secret')
    expect(serverFaults.items).toMatchObject([
      { method: 'resolve', cause: { message: 'secret detail' } },
    ])
  })

  it('goes on after a notice whose handler throws', async () => {
    const { relayPeer, serverFaults } = connect(createPair, {
      session_opened: () => {
        throw new Error('handler')
      },
    })
    relayPeer.notify('session_opened', session)
    await serverFaults.has(1)
    expect(serverFaults.items[0]?.method).toBe('session_opened')
    expect(await relayPeer.request('device_key', { device: 'a' })).toBeNull()
  })

  it('refuses an answer of the wrong shape', async () => {
    const { relayPeer } = connect(createPair, {
      resolve: () => ({ allow: true }) as unknown as RouteDecision,
    })
    const failure = await failureOf(relayPeer.request('resolve', { kind: 'port', port: 1 }))
    expect(failure.code).toBe('malformed')
  })

  it('fails at once, and not by time-out, what cannot be sent', async () => {
    const { relayPeer } = connect(createPair)
    const unsendable = { device: (() => 'a') as unknown as string }
    const failure = await failureOf(relayPeer.request('device_key', unsendable))
    expect(failure.code).toBe('failed')
  })

  it.each([
    ['null', null],
    ['a text', 'hello'],
    ['a number', 5],
    ['an empty object', {}],
    ['a list', [1, 2]],
    ['a method that is no text', { id: 901, method: 5, params: {} }],
    ['an unknown notice', { method: 'shutdown', params: {} }],
    ['a notice named like a member of every object', { method: 'constructor', params: {} }],
    ['a request sent as a notice', { method: 'resolve', params: { kind: 'port', port: 1 } }],
    ['a notice with the wrong parameters', { method: 'usage', params: [{ record: 'x' }] }],
    ['an unknown request', { id: 901, method: 'probe', params: {} }],
    ['a request named like a member of every object', { id: 901, method: 'toString', params: {} }],
    ['a request with the wrong parameters', { id: 901, method: 'resolve', params: { kind: 'x' } }],
  ])('reports %s as a fault and goes on', async (_name, message) => {
    const { pair, relayPeer, serverFaults, heard } = connect(createPair)
    pair.sendRaw(message)
    await serverFaults.has(1)
    expect(serverFaults.items).toHaveLength(1)
    expect(heard.items).toEqual([])
    expect(await relayPeer.request('device_key', { device: 'a' })).toBeNull()
  })

  it('ignores answers nobody waits for', async () => {
    const { pair, serverPeer, serverFaults } = connect(createPair)
    pair.sendRaw({ id: 99, result: [] })
    pair.sendRaw({ id: 99, error: 'failed' })
    expect(await serverPeer.request('probe', route)).toEqual([])
    expect(serverFaults.items).toEqual([])
  })
})
