import {
  bindPairing,
  createGateTicket,
  createRecord,
  getPairing,
  getPairingInfo,
  getRouterInfo,
  listRouters,
  listServers,
  pairDevice,
  signToken,
  startPairing,
} from '@homeport/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attachTestRelay, sessionOf } from '../relays/testing.ts'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { factsOf } from './testing.ts'

/** A call of each route that needs a session, with input that would do. */
const signedInRoutes: [method: string, path: string, body?: unknown][] = [
  ['GET', '/api/user/routers/'],
  ['PATCH', '/api/user/routers/1/', { name: 'x' }],
  ['DELETE', '/api/user/routers/1/'],
  ['POST', '/api/user/routers/1/check_domain_connection/', { record: 1 }],
  ['GET', '/api/router_info/?domain=nas.localhost'],
  ['GET', `/custom/router_info/?pairing=${'A'.repeat(22)}`],
  ['GET', '/api/user/token-sign/'],
  ['POST', `/api/user/pairings/${'A'.repeat(22)}/bind/`],
  ['GET', '/api/user/servers/'],
  ['POST', '/api/user/records/', { router: 1, name: 'nas', target: 'http://10.0.0.2' }],
  ['PATCH', '/api/user/records/1/', { remark: '' }],
  ['DELETE', '/api/user/records/1/'],
  ['POST', '/api/user/gate-tickets/', { url: 'http://nas.localhost:8080/' }],
]

/** Bad input and the problems that have to be told, all at once. */
const badInputs: [method: string, path: string, body: unknown, errors: string[]][] = [
  [
    'GET',
    '/api/user/routers/?limit=501&offset=-1&ordering=uid&id=0',
    undefined,
    ['id too_small', 'limit too_big', 'offset too_small', 'ordering invalid_value'],
  ],
  [
    'PATCH',
    '/api/user/routers/x/',
    { name: ' ', remark: 'x'.repeat(201), paused: 'yes' },
    ['id invalid_type', 'name too_small', 'paused invalid_type', 'remark too_big'],
  ],
  [
    'POST',
    '/api/user/records/',
    { name: 'ww w', kind: 'udp', target: 'ftp://x', access: [], remark: 1 },
    [
      'access too_small',
      'kind invalid_value',
      'name invalid_format',
      'remark invalid_type',
      'router required',
      'target scheme',
    ],
  ],
  [
    'POST',
    '/api/user/records/',
    { name: 'www', router: 1, target: 'http://10.0.0.2/admin', access: ['password'] },
    ['access.0 invalid_value', 'name reserved', 'target path'],
  ],
  ['POST', '/api/user/gate-tickets/', { n: 'short' }, ['n invalid_format', 'url required']],
  [
    'POST',
    '/api/agent/pair/',
    { name: '', public_key: 'short' },
    ['name too_small', 'public_key invalid_format', 'token required'],
  ],
  ['POST', '/api/user/routers/1/check_domain_connection/', {}, ['record required']],
]

describe('routes of devices, records, gate and relays', () => {
  let home: TestServer
  let ann: TestBrowser
  beforeEach(async () => {
    home = await startTestServer()
    ann = await home.signIn()
  })
  afterEach(() => home.stop())

  async function pair(seed = 'nas'): Promise<{ id: number; uid: string }> {
    const { token } = await ann.call(signToken, {})
    const { uid } = await home.open().call(pairDevice, { body: { token, ...factsOf(seed) } })
    const { results } = await ann.call(listRouters, { query: { search: uid } })
    return { id: results[0]?.id ?? 0, uid }
  }

  function attachRelay() {
    return attachTestRelay({ attach: channel => home.server.attachRelay(channel) })
  }

  it.each(signedInRoutes)('%s %s answers 401 without a session', async (method, path, body) => {
    const stranger = home.open()
    await stranger.get('/api/login_status/')
    const answer = await stranger.send(method, path, body)
    expect([answer.status, answer.problem().code]).toEqual([401, 'not_signed_in'])
  })

  it.each(badInputs)('%s %s lists all problems', async (method, path, body, errors) => {
    const answer = await ann.send(method, path, body)
    expect([answer.status, answer.problem().code]).toEqual([422, 'invalid_input'])
    const told = (answer.problem().errors ?? []).map(error => `${error.path} ${error.code}`)
    expect(told.toSorted()).toEqual(errors)
  })

  it('goes from a token to an open page: pair, publish, list, ticket', async () => {
    const device = await pair()
    const record = await ann.call(createRecord, {
      body: { router: device.id, name: 'NAS', target: 'http://192.168.1.2' },
    })
    expect(record).toMatchObject({ name: 'nas', target: 'http://192.168.1.2:80' })
    const relay = attachRelay()
    await relay.hello(sessionOf(device.uid))
    const { results } = await ann.call(listRouters, { query: {} })
    expect(results).toMatchObject([{ status: 'online', server: 1, records: [record] }])
    const ticket = await ann.call(createGateTicket, {
      body: { url: 'http://nas.localhost:8080/x', n: 'A'.repeat(43) },
    })
    expect(ticket.location).toMatch(/^http:\/\/nas\.localhost:8080\/x\?__hp_ticket=/)
    expect(await ann.call(getRouterInfo, { query: { domain: 'NAS.localhost' } })).toMatchObject({
      reason: 'ok',
      record: record.id,
    })
  })

  it('answers rows of somebody else like absent ones', async () => {
    const device = await pair()
    const record = await ann.call(createRecord, {
      body: { router: device.id, name: 'nas', target: 'http://192.168.1.2' },
    })
    const bob = await home.signUp('bob')
    const asked: [string, string, unknown?][] = [
      ['PATCH', `/api/user/routers/${device.id}/`, { name: 'mine' }],
      ['DELETE', `/api/user/routers/${device.id}/`],
      ['POST', `/api/user/routers/${device.id}/check_domain_connection/`, { record: record.id }],
      ['PATCH', `/api/user/records/${record.id}/`, { remark: 'mine' }],
      ['DELETE', `/api/user/records/${record.id}/`],
      ['DELETE', '/api/user/records/999999/'],
      ['DELETE', '/api/user/routers/999999/'],
    ]
    for (const [method, path, body] of asked) {
      const answer = await bob.send(method, path, body)
      expect([path, answer.status, answer.problem().code]).toEqual([path, 404, 'not_found'])
    }
    expect(await bob.call(listRouters, { query: { id: device.id } })).toMatchObject({ count: 0 })
    const taken = await bob.post('/api/user/records/', {
      router: device.id,
      name: 'free',
      target: 'http://10.0.0.2',
    })
    expect(taken.problem().errors).toMatchObject([{ path: 'router', code: 'not_found' }])
  })

  it('ends a device’s credential with its row', async () => {
    const device = await pair()
    const relay = attachRelay()
    await relay.hello(sessionOf(device.uid))
    expect((await ann.send('DELETE', `/api/user/routers/${device.id}/`)).status).toBe(204)
    await relay.hasHeard(1)
    expect(relay.told[0]).toEqual({
      method: 'device_revoked',
      device: device.uid,
      code: 'deleted',
    })
    expect(await relay.peer.request('device_key', { device: device.uid })).toBeNull()
  })

  it('binds a waiting device by its address, and needs no session of the device', async () => {
    const box = home.open({ address: '192.0.2.9' })
    const waiting = await box.call(startPairing, { body: factsOf('box') })
    const params = { pairing: waiting.pairing }
    expect(await box.call(getPairing, { params })).toMatchObject({ uid: null })
    expect(await ann.call(getPairingInfo, { query: params })).toMatchObject({
      name: 'box',
      address: '192.0.2.9',
      bound: false,
    })
    const device = await ann.call(bindPairing, { params })
    expect(await box.call(getPairing, { params })).toMatchObject({ uid: device.uid })
    expect(box.cookies.size).toBe(0)
  })

  it('limits pairings per address', async () => {
    const guesser = home.open({ address: '192.0.2.66' })
    const guess = async () => {
      const body = { token: crypto.randomUUID(), ...factsOf('guess') }
      return guesser.post('/api/agent/pair/', body)
    }
    const answers = []
    for (let tries = 0; tries < 21; tries += 1) answers.push(await guess())
    expect(answers[0]?.problem().code).toBe('pairing_token_invalid')
    expect(answers[0]?.status).toBe(401)
    expect(answers[20]?.status).toBe(429)
    expect(Number(answers[20]?.headers['retry-after'])).toBe(10)
    expect((await pair()).id).toBeGreaterThan(0)
    home.clock.advance(10_000)
    expect((await guess()).status).toBe(401)
  })

  it('shows the relay as online while it is attached', async () => {
    const server = { id: 1, host: 'localhost', latency_url: 'http://localhost:8080/healthz' }
    expect(await ann.call(listServers, {})).toMatchObject([{ ...server, online: false, load: 0 }])
    const device = await pair()
    await attachRelay().hello(sessionOf(device.uid))
    expect(await ann.call(listServers, {})).toMatchObject([
      { ...server, online: true, load: 0.0001 },
    ])
  })

  it('tells a relay which console session ended', async () => {
    const relay = attachRelay()
    await relay.hello()
    const second = await home.signIn()
    const sessions = (await second.get('/api/user/sessions/')).json()
    const other = sessions.find((session: { current: boolean }) => !session.current)
    expect((await second.send('DELETE', `/api/user/sessions/${other.id}/`)).status).toBe(204)
    await relay.hasHeard(1)
    expect(relay.told).toMatchObject([{ method: 'console_session_ended' }])
  })

  it('checks a connection by the relay’s own probe', async () => {
    const device = await pair()
    const record = await ann.call(createRecord, {
      body: { router: device.id, name: 'nas', target: 'http://192.168.1.2' },
    })
    const relay = attachTestRelay({ attach: channel => home.server.attachRelay(channel) }, () => [
      { step: 'device', ok: true, ms: 1, code: 'ok', hint: '' },
      { step: 'target', ok: true, ms: 1, code: 'ok', hint: '' },
      { step: 'response', ok: true, ms: 1, code: 'ok', hint: '' },
    ])
    await relay.hello(sessionOf(device.uid))
    const answer = await ann.post(`/api/user/routers/${device.id}/check_domain_connection/`, {
      record: record.id,
    })
    expect([answer.status, answer.json().ok]).toEqual([200, true])
    expect(relay.probed).toMatchObject([{ record: record.id }])
  })
})
