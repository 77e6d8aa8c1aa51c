import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UserId } from '../accounts/user-id.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { pairingLifetimeMs, waitingLimitPerAddress } from './policy.ts'
import { signedTokenLifetimeMs } from './signed-token.ts'
import { addDevice, factsOf, openTestRooms, refusalOf, type TestRooms } from './testing.ts'

const address = '203.0.113.5'

describeOnEveryEngine('pairing', openTestDatabase => {
  let rooms: TestRooms
  let ann: UserId
  let bob: UserId
  let token: string
  beforeEach(async () => {
    rooms = await openTestRooms(openTestDatabase)
    ann = await rooms.addUser('ann')
    bob = await rooms.addUser('bob')
    token = (await rooms.accounts.getProfile(ann)).token
  })
  afterEach(() => rooms.close())

  const pair = (text: string, seed = 'nas') => rooms.pairings.pair(text, factsOf(seed), address)
  const devicesOf = (userId: UserId) =>
    rooms.db.selectFrom('devices').selectAll().where('user_id', '=', userId).execute()
  const start = (seed: string, from = address) =>
    rooms.pairings.start(factsOf(seed), {
      address: from,
      limitKey: from,
      origin: 'http://localhost:8080',
    })

  it('binds by the long-lived token, and tells the owner’s pages', async () => {
    const { uid } = await pair(token)
    expect(uid).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const [device] = await devicesOf(ann)
    expect(device).toMatchObject({ uid, name: 'nas', public_ip: address })
    expect(rooms.events).toEqual([{ user: ann, event: { type: 'router_changed', id: device?.id } }])
  })

  it('gives the same device to the same key of the same user', async () => {
    const first = await pair(token)
    const [device] = await devicesOf(ann)
    await rooms.devices.patch(ann, device?.id ?? 0, { name: 'renamed' })
    const facts = { ...factsOf('nas'), agent_version: '9.9.9' }
    expect(await rooms.pairings.pair(token, facts, address)).toEqual(first)
    expect(await devicesOf(ann)).toMatchObject([{ name: 'renamed', agent_version: '9.9.9' }])
  })

  it('refuses the key of somebody else’s device until it is unbound', async () => {
    const bobs = await addDevice(rooms, bob, 'nas')
    expect(await refusalOf(pair(token))).toEqual({
      code: 'invalid_input',
      errors: { public_key: 'taken' },
    })
    await rooms.devices.remove(bob, bobs.id)
    const { uid } = await pair(token)
    expect(uid).not.toBe(bobs.uid)
  })

  it('gives a key to one of two users who race for it', async () => {
    const bobs = (await rooms.accounts.getProfile(bob)).token
    const outcomes = await Promise.allSettled([pair(token), pair(bobs)])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect([...(await devicesOf(ann)), ...(await devicesOf(bob))]).toHaveLength(1)
  })

  it.each(['', 'nonsense', 'hps1.', 'hps1.a.b', '00000000-0000-4000-8000-000000000000'])(
    'refuses %j',
    async text => {
      expect((await refusalOf(pair(text))).code).toBe('pairing_token_invalid')
      expect(await rooms.db.selectFrom('devices').selectAll().execute()).toEqual([])
    },
  )

  it('binds by the signed form once', async () => {
    const signed = await rooms.pairings.signToken(ann)
    expect(signed.expires_at).toBe('2026-11-20T12:10:00.000Z')
    await pair(signed.token, 'one')
    expect((await refusalOf(pair(signed.token, 'two'))).code).toBe('pairing_token_invalid')
    expect((await refusalOf(pair(signed.token, 'one'))).code).toBe('pairing_token_invalid')
    expect(await devicesOf(ann)).toHaveLength(1)
  })

  it('gives the signed form to one of many who race', async () => {
    const signed = await rooms.pairings.signToken(ann)
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map(seed => pair(signed.token, seed)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await devicesOf(ann)).toHaveLength(1)
  })

  it('lets a signed form expire, also after its use was forgotten', async () => {
    const [used, fresh] = [await rooms.pairings.signToken(ann), await rooms.pairings.signToken(ann)]
    await pair(used.token)
    rooms.clock.advance(signedTokenLifetimeMs)
    expect((await refusalOf(pair(fresh.token))).code).toBe('pairing_token_invalid')
    rooms.clock.advance(signedTokenLifetimeMs)
    await pair(token, 'sweeps')
    expect(await rooms.db.selectFrom('signed_tokens').selectAll().execute()).toEqual([])
    for (const { token } of [used, fresh]) {
      expect((await refusalOf(pair(token))).code).toBe('pairing_token_invalid')
    }
  })

  it('ends tokens and signed forms that are outstanding when the token is reset', async () => {
    const signed = await rooms.pairings.signToken(ann)
    await pair(token, 'before')
    await rooms.accounts.resetToken(ann)
    for (const text of [token, signed.token]) {
      expect((await refusalOf(pair(text))).code).toBe('pairing_token_invalid')
    }
    expect(await devicesOf(ann)).toHaveLength(1)
    await pair((await rooms.pairings.signToken(ann)).token, 'after')
  })

  it('leaves a signed form usable after a pairing that was refused', async () => {
    await addDevice(rooms, bob, 'taken')
    const signed = await rooms.pairings.signToken(ann)
    expect((await refusalOf(pair(signed.token, 'taken'))).code).toBe('invalid_input')
    expect((await pair(signed.token, 'free')).uid).toMatch(/^[\w-]{22}$/)
  })

  it('binds a device without a token for whoever opens its address', async () => {
    const { pairing, url, expires_at } = await start('box')
    expect(pairing).toMatch(/^[A-Za-z0-9_-]{22}$/)
    expect(url).toBe(`http://localhost:8080/#/bind?pairing=${pairing}`)
    expect(await rooms.pairings.status(pairing)).toEqual({ uid: null, expires_at })
    expect(await rooms.pairings.info(pairing)).toEqual({
      name: 'box',
      model: 'x86',
      agent: 'homeport-agent',
      agent_version: '0.1.0',
      address,
      bound: false,
      expires_at,
    })
    const device = await rooms.pairings.bind(ann, pairing)
    expect(await rooms.pairings.status(pairing)).toEqual({ uid: device.uid, expires_at })
    expect(await rooms.pairings.info(pairing)).toMatchObject({ bound: true })
    expect((await rooms.pairings.bind(ann, pairing)).id).toBe(device.id)
    expect((await refusalOf(rooms.pairings.bind(bob, pairing))).code).toBe('pairing_not_found')
  })

  it('gives a waiting device to one of two users who race', async () => {
    const { pairing } = await start('box')
    const outcomes = await Promise.allSettled([
      rooms.pairings.bind(ann, pairing),
      rooms.pairings.bind(bob, pairing),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  it('forgets a pairing after ten minutes, and keeps no id that opens one', async () => {
    const { pairing } = await start('box')
    const rows = await rooms.db.selectFrom('pairings').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(pairing)
    rooms.clock.advance(pairingLifetimeMs)
    for (const ask of [
      () => rooms.pairings.status(pairing),
      () => rooms.pairings.info(pairing),
      () => rooms.pairings.bind(ann, pairing),
      () => rooms.pairings.status('A'.repeat(22)),
    ]) {
      expect((await refusalOf(ask())).code).toBe('pairing_not_found')
    }
    await start('other')
    expect(await rooms.db.selectFrom('pairings').selectAll().execute()).toHaveLength(1)
  })

  it('loses a pairing with its device', async () => {
    const { pairing } = await start('box')
    const device = await rooms.pairings.bind(ann, pairing)
    await rooms.devices.remove(ann, device.id)
    expect((await refusalOf(rooms.pairings.status(pairing))).code).toBe('pairing_not_found')
  })

  it('bounds how many devices of one address wait', async () => {
    for (let index = 0; index < waitingLimitPerAddress; index += 1) await start(`box${index}`)
    expect((await refusalOf(start('one more'))).code).toBe('rate_limited')
    await start('elsewhere', '198.51.100.7')
    rooms.clock.advance(pairingLifetimeMs)
    await start('later')
  })
})
