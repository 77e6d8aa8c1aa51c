import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { TunnelError } from '../errors.ts'
import { connectPair, createManualClock } from '../yamux/test-wire.ts'
import { type AcceptLinkOptions, acceptLink, type DeviceKey } from './accept-link.ts'
import { type DialLinkOptions, dialLink } from './dial-link.ts'
import { exportPublicKey, isProofValid, parsePublicKey, signProof } from './proof.ts'

const device = generateKeyPairSync('ed25519')
const stranger = generateKeyPairSync('ed25519')
const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: homeport/1'
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that hands each connection on, with the URL an agent dials. */
async function listen(onSocket: (socket: Socket) => void): Promise<URL> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    closers.push(() => socket.destroy())
    onSocket(socket)
  })
  closers.push(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as { port: number }).port}`)
}

function dial(server: URL, more: Partial<DialLinkOptions> = {}) {
  const info = { agentVersion: '0.1.0', model: 'test', lanIp: '192.168.1.9' }
  const options = { server, key: device.privateKey, device: 'd1', session: 's1', info, ...more }
  const dialled = dialLink(options)
  dialled.then(
    link => closers.push(() => link.muxer.close()),
    () => {},
  )
  return dialled
}

function accept(socket: Socket, more: Partial<AcceptLinkOptions<DeviceKey>> = {}) {
  const accepted = acceptLink(socket, {
    relayId: 'r1',
    host: 'relay.test',
    findDeviceKey: async uid =>
      uid === 'd1' ? { publicKey: exportPublicKey(device.publicKey) } : null,
    ...more,
  })
  accepted.then(
    link => closers.push(() => link.muxer.close()),
    () => {},
  )
  return accepted
}

/** An agent and a relay that meet; the relay takes the Host the agent sent, unless told otherwise. */
async function meet(
  agent: Partial<DialLinkOptions>,
  relay: Partial<AcceptLinkOptions<DeviceKey>> = {},
) {
  const accepted = Promise.withResolvers<Awaited<ReturnType<typeof accept>>>()
  const server = await listen(async socket => {
    const [head] = (await once(socket, 'data')) as [Buffer]
    const host = /\r\nHost: ([^\r]+)/.exec(String(head))?.[1] ?? ''
    accept(socket, { host, ...relay }).then(accepted.resolve, accepted.reject)
  })
  const dialled = dial(server, agent)
  return Promise.allSettled([dialled, accepted.promise])
}

/** A relay's side fed by hand: what it wrote after its 101, and a way to send messages. */
async function rawAgent(more: Partial<AcceptLinkOptions<DeviceKey>> = {}) {
  const [near, far] = await connectPair()
  const accepted = accept(near, more)
  accepted.catch(() => {})
  const messages = readMessages(far)
  const challenge = JSON.parse(await messages()) as { nonce: string }
  const hello = (fields: object) => ({
    version: 1,
    device: 'd1',
    session: 's1',
    agent_version: '0.1.0',
    model: 'test',
    signature: sign(challenge.nonce),
    ...fields,
  })
  return { accepted, far, messages, challenge, hello }
}

function sign(nonce: string): string {
  const claim = { nonce, host: 'relay.test', device: 'd1', agentVersion: '0.1.0', session: 's1' }
  return signProof(device.privateKey, claim)
}

function framed(message: unknown): Buffer {
  const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message))
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(body.length)
  return Buffer.concat([prefix, body])
}

function readMessages(socket: Socket): () => Promise<string> {
  let held = Buffer.alloc(0)
  let isSwitched = false
  return async () => {
    for (;;) {
      const end = held.indexOf('\r\n\r\n')
      if (!isSwitched && end >= 0) {
        isSwitched = true
        held = held.subarray(end + 4)
      }
      if (isSwitched && held.length >= 4 && held.length >= 4 + held.readUInt32BE(0)) {
        const length = held.readUInt32BE(0)
        const text = String(held.subarray(4, 4 + length))
        held = held.subarray(4 + length)
        return text
      }
      const [chunk] = (await once(socket, 'data')) as [Buffer]
      held = Buffer.concat([held, chunk])
    }
  }
}

describe('both sides', () => {
  test('a proved key makes a link with the facts of both sides', async () => {
    const [agent, relay] = await meet({})
    expect(agent).toMatchObject({ status: 'fulfilled', value: { relay: 'r1', heartbeatMs: 10000 } })
    const hello = { device: 'd1', session: 's1', agentVersion: '0.1.0', lanIp: '192.168.1.9' }
    expect(relay).toMatchObject({ status: 'fulfilled', value: { hello } })
  })

  const refusals: [
    string,
    Partial<DialLinkOptions>,
    Partial<AcceptLinkOptions<DeviceKey>>,
    string,
    string,
  ][] = [
    ['a wrong key', { key: stranger.privateKey }, {}, 'proof_invalid', 'never'],
    ['an unknown device', { device: 'd2' }, {}, 'device_unknown', 'never'],
    ['a proof for another host', {}, { host: 'evil.test' }, 'proof_invalid', 'never'],
    [
      'a look-up that says why',
      {},
      { findDeviceKey: () => Promise.reject(new TunnelError('device_revoked')) },
      'device_revoked',
      'never',
    ],
    [
      'a look-up that breaks',
      {},
      { findDeviceKey: () => Promise.reject(new Error('secret text')) },
      'internal',
      'later',
    ],
    [
      'a full relay',
      {},
      {
        admit: () => {
          throw new TunnelError('relay_busy')
        },
      },
      'relay_busy',
      'later',
    ],
  ]
  test.each(refusals)('%s is refused and both sides know', async (_what, a, b, code, retry) => {
    const [agent, relay] = await meet(a, b)
    expect(agent).toMatchObject({ status: 'rejected', reason: { code, retry } })
    expect(relay).toMatchObject({ status: 'rejected', reason: { code } })
    expect(JSON.stringify(agent)).not.toContain('secret text')
  })
})

describe('the relay', () => {
  test('refuses a proof made for another nonce', async () => {
    const first = await rawAgent()
    const old = first.hello({})
    first.far.write(framed(old))
    await first.accepted
    const second = await rawAgent()
    expect(second.challenge.nonce).not.toBe(first.challenge.nonce)
    second.far.write(framed(old))
    await expect(second.accepted).rejects.toMatchObject({ code: 'proof_invalid' })
    expect(JSON.parse(await second.messages())).toMatchObject({ ok: false, code: 'proof_invalid' })
  })

  const bad: [string, (hello: (fields: object) => object) => Buffer, string][] = [
    ['an old version', hello => framed(hello({ version: 0 })), 'version_unsupported'],
    ['an oversized message', () => Buffer.from([0, 0, 0x40, 1]), 'handshake_invalid'],
    ['a length that wraps', () => Buffer.from([0xff, 0xff, 0xff, 0xff]), 'handshake_invalid'],
    ['what is not JSON', () => framed('{"version":'), 'handshake_invalid'],
    ['bytes that are not UTF-8', () => framed('"\ud800"'), 'handshake_invalid'],
    ['a list', () => framed('[1]'), 'handshake_invalid'],
    ['a missing field', hello => framed(hello({ model: undefined })), 'handshake_invalid'],
    ['a field too long', hello => framed(hello({ model: 'x'.repeat(129) })), 'handshake_invalid'],
    ['a changed session', hello => framed(hello({ session: 's2' })), 'proof_invalid'],
    ['a cut signature', hello => framed(hello({ signature: 'AAAA' })), 'proof_invalid'],
  ]
  test.each(bad)('refuses %s', async (_what, message, code) => {
    const { accepted, far, messages, hello } = await rawAgent()
    far.write(message(hello))
    await expect(accepted).rejects.toMatchObject({ code })
    expect(JSON.parse(await messages())).toMatchObject({ ok: false, code })
  })

  test('gives up when the agent stays silent, and when the look-up never ends', async () => {
    const clock = createManualClock()
    const silent = await rawAgent({ clock })
    clock.advance(10_000)
    await expect(silent.accepted).rejects.toMatchObject({ code: 'handshake_timeout' })
    expect(JSON.parse(await silent.messages())).toMatchObject({ code: 'handshake_timeout' })
    const asked = Promise.withResolvers<void>()
    const findDeviceKey = () => {
      asked.resolve()
      return new Promise<null>(() => {})
    }
    const stuck = await rawAgent({ clock, findDeviceKey })
    stuck.far.write(framed(stuck.hello({})))
    await asked.promise
    clock.advance(10_000)
    await expect(stuck.accepted).rejects.toMatchObject({ code: 'handshake_timeout' })
  })

  test('notices an agent that leaves', async () => {
    const { accepted, far } = await rawAgent()
    far.destroy()
    await expect(accepted).rejects.toMatchObject({ code: 'link_lost' })
  })

  test('takes bytes that were read with the request', async () => {
    const [near, far] = await connectPair()
    const accepted = accept(near, { head: framed({ version: 7 }) })
    await expect(accepted).rejects.toMatchObject({ code: 'handshake_invalid' })
    far.destroy()
  })
})

describe('the agent', () => {
  const answers: [string, string, object][] = [
    ['503', 'HTTP/1.1 503 Busy\r\nRetry-After: 7', { httpStatus: 503, retryAfterMs: 7000 }],
    ['404', 'HTTP/1.1 404 Not Found', { code: 'link_refused', httpStatus: 404, retry: 'later' }],
    ['a redirect', 'HTTP/1.1 302 Found\r\nLocation: http://evil/', { code: 'link_refused' }],
    ['426', 'HTTP/1.1 426 Upgrade Required', { code: 'version_unsupported', retry: 'never' }],
    ['another protocol', SWITCHING.replace('homeport/1', 'h2c'), { code: 'handshake_invalid' }],
    ['no Connection', SWITCHING.replace('Connection', 'X'), { code: 'handshake_invalid' }],
    ['a folded line', `${SWITCHING}\r\n folded`, { code: 'handshake_invalid' }],
    ['a bare LF', `${SWITCHING}\nX: y`, { code: 'handshake_invalid' }],
    ['a space before a colon', `${SWITCHING}\r\nX : y`, { code: 'handshake_invalid' }],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9', { code: 'handshake_invalid' }],
    ['a head too long', `${SWITCHING}\r\nX: ${'y'.repeat(9000)}`, { code: 'handshake_invalid' }],
  ]
  test.each(answers)('understands %s as an answer', async (_what, answer, expected) => {
    const server = await listen(socket => {
      socket.once('data', () => socket.write(`${answer}\r\n\r\n`))
    })
    await expect(dial(server)).rejects.toMatchObject(expected)
  })

  test('refuses a relay of another version and a challenge too long', async () => {
    const challenge = { version: 2, nonce: 'n', relay: 'r' }
    for (const [frame, code] of [
      [framed(challenge), 'version_unsupported'],
      [Buffer.from([0, 1, 0, 0]), 'handshake_invalid'],
    ] as const) {
      const server = await listen(socket => {
        socket.once('data', () =>
          socket.write(Buffer.concat([Buffer.from(`${SWITCHING}\r\n\r\n`), frame])),
        )
      })
      await expect(dial(server)).rejects.toMatchObject({ code })
    }
  })

  test('keeps the hint of a refusal younger than its registry', async () => {
    const server = await listen(socket => {
      const answer = { ok: false, code: 'too_new', retry: 'never', detail: 'update' }
      socket.once('data', () => {
        socket.write(`${SWITCHING}\r\n\r\n`)
        socket.write(framed({ version: 1, nonce: 'n', relay: 'r' }))
        socket.write(framed(answer))
      })
    })
    const expected = { code: 'link_refused', retry: 'never', detail: 'too_new: update' }
    await expect(dial(server)).rejects.toMatchObject(expected)
  })

  test('gives up in time, when cancelled, and when nobody listens', async () => {
    const clock = createManualClock()
    const connected = Promise.withResolvers<void>()
    const server = await listen(() => connected.resolve())
    const silent = dial(server, { clock, timeoutMs: 3_000 })
    await connected.promise
    clock.advance(3_000)
    await expect(silent).rejects.toMatchObject({ code: 'handshake_timeout' })
    const cancelled = dial(server, { signal: AbortSignal.abort() })
    await expect(cancelled).rejects.toMatchObject({ code: 'link_lost' })
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as { port: number }
    await new Promise(resolve => closed.close(resolve))
    const nobody = dial(new URL(`http://127.0.0.1:${port}`))
    await expect(nobody).rejects.toMatchObject({ code: 'link_unreachable' })
  })

  test('takes frames that came together with the answer', async () => {
    const reached = Promise.withResolvers<void>()
    const server = await listen(async socket => {
      await once(socket, 'data')
      socket.write(`${SWITCHING}\r\n\r\n`)
      socket.write(framed({ version: 1, nonce: 'n', relay: 'r' }))
      await once(socket, 'data')
      const syn = Buffer.from([0, 1, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0])
      socket.write(Buffer.concat([framed({ ok: true, heartbeat_ms: 1 }), syn]))
    })
    const { muxer } = await dial(server)
    muxer.acceptStreams(stream => {
      expect(stream.id).toBe(2)
      reached.resolve()
    })
    await reached.promise
  })

  test('reaches the server another way when told', async () => {
    const server = await listen(socket => socket.end('HTTP/1.1 429 Slow\r\n\r\n'))
    const seen: string[] = []
    const dialled = dial(new URL('https://relay.test:8443'), {
      connect: async url => {
        seen.push(url.host)
        return connect(Number(server.port), '127.0.0.1')
      },
    })
    await expect(dialled).rejects.toMatchObject({ code: 'link_refused', httpStatus: 429 })
    expect(seen).toEqual(['relay.test:8443'])
  })
})

describe('proofs', () => {
  test('a key is read only in the form it is written', () => {
    const text = exportPublicKey(device.privateKey)
    expect(text).toBe(exportPublicKey(device.publicKey))
    expect(parsePublicKey(text)?.equals(device.publicKey)).toBe(true)
    for (const wrong of ['', 'AAAA', `${text}=`, text.slice(1), `${text}AA`, 'é'.repeat(43)]) {
      expect(parsePublicKey(wrong)).toBeNull()
    }
  })

  test('no field can be shifted into its neighbour', () => {
    const claim = { nonce: 'n', host: 'h', device: 'ab', agentVersion: 'c', session: 's' }
    const signature = signProof(device.privateKey, claim)
    const key = exportPublicKey(device.publicKey)
    expect(isProofValid(key, claim, signature)).toBe(true)
    expect(isProofValid(key, { ...claim, host: 'H' }, signature)).toBe(true)
    expect(isProofValid(key, { ...claim, device: 'a', agentVersion: 'bc' }, signature)).toBe(false)
    for (const field of ['nonce', 'host', 'device', 'agentVersion', 'session']) {
      expect(isProofValid(key, { ...claim, [field]: 'other' }, signature)).toBe(false)
    }
    expect(isProofValid('not a key', claim, signature)).toBe(false)
  })
})
