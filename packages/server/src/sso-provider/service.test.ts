import { createHash } from 'node:crypto'
import { createManualClock, type ManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSessions, recentMs, type Sessions } from '../accounts/sessions.ts'
import { insertTestUser } from '../accounts/testing-store.ts'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { createEventBus } from '../events/bus.ts'
import type { Actor } from '../http/actor.ts'
import { deriveKeys } from '../keys.ts'
import { createSsoEvents, type SsoEvents } from './events.ts'
import { codeMs, createSsoProvider, requestMs, type SsoProviderService } from './service.ts'

const redirectUri = 'http://localhost:8080/custom/sso/callback'
const category = `weixin-oauth-${'f'.repeat(22)}`
const codeVerifier = 'v'.repeat(43)
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
const desktop = { browserKey: 'desktop' }
const place = { address: '192.0.2.1', userAgent: 'phone' }

describeOnEveryEngine('our provider of sign-ons', openTestDatabase => {
  let database: OpenDatabase
  let clock: ManualClock
  let events: SsoEvents
  let sessions: Sessions
  let provider: SsoProviderService
  let phone: Actor
  let other: Actor
  beforeEach(async () => {
    database = await openTestDatabase()
    clock = createManualClock()
    const bus = createEventBus(cause => {
      throw cause
    })
    const parts = { db: database.db, clock, bus, keys: deriveKeys(Buffer.alloc(32, 7)) }
    sessions = createSessions(parts)
    events = createSsoEvents(parts)
    provider = createSsoProvider(parts, { events, sessions })
    phone = await signIn('li')
    other = await signIn('wang')
  })
  afterEach(async () => {
    events.close()
    await database.close()
  })

  const addUser = (name: string) => insertTestUser(database, name)

  async function signIn(name: string): Promise<Actor> {
    const token = await sessions.start(await addUser(name), place, null)
    const actor = await sessions.findActor(token)
    if (actor === null) throw new Error('no session')
    return actor
  }

  /** Begins at the desktop; gives the id that its QR code holds. */
  async function begin(
    state = 'state',
    changes: Partial<Parameters<typeof provider.begin>[0]> = {},
  ) {
    await provider.begin({
      flowId: 'f'.repeat(22),
      state,
      nonce: 'nonce',
      codeChallenge,
      isStepUp: false,
      redirectUri,
      expiresAt: clock.now() + requestMs,
      request: {
        id: 'request',
        address: '198.51.100.7',
        userAgent: 'a desktop',
        ownOrigin: 'http://localhost:8080',
        secure: false,
        language: 'zh',
      },
      ...desktop,
      ...changes,
    })
    const found = await provider.look({ state, redirectUri, browserKey: 'phone' })
    if (found.kind !== 'elsewhere') throw new Error(found.kind)
    return found.id
  }
  const open = (actor: Actor, id: string, address = '203.0.113.9') =>
    provider.open(actor, id, address)
  const look = (state = 'state') => provider.look({ state, redirectUri, ...desktop })
  const told = async () => {
    const [row] = await database.db.selectFrom('sso_requests').select('binding').execute()
    return events.list({ category, binding: row?.binding ?? '' })
  }
  const codeOf = async () => {
    const event = (await told()).find(each => each.state === 'confirmed')
    if (event?.state !== 'confirmed') throw new Error('no code')
    return event.code
  }
  const redeem = async ({
    code,
    ...changes
  }: Partial<Parameters<typeof provider.redeem>[0]> = {}) => {
    const given = code ?? (await codeOf())
    return provider.redeem({ code: given, state: 'state', codeVerifier, redirectUri, ...changes })
  }
  const gone = { code: 'sso_request_gone' }
  const refused = { code: 'sso_refused' }
  const times = 6
  async function race<T>(run: () => Promise<T>): Promise<number> {
    const all = await Promise.allSettled(Array.from({ length: times }, run))
    for (const each of all) {
      if (each.status === 'rejected') expect(each.reason.code).toMatch(/^sso_/)
    }
    return all.filter(each => each.status === 'fulfilled').length
  }

  it('goes from the code on the screen over the phone to the account', async () => {
    const id = await begin()
    const waiting = await look()
    if (waiting.kind !== 'waiting') throw new Error(waiting.kind)
    expect(waiting).toMatchObject({ id, category, expiresAt: clock.now() + requestMs })
    expect(waiting.number).toMatch(/^\d{4}$/)

    const shown = await open(phone, id)
    expect(shown).toEqual({
      number: waiting.number,
      user_agent: 'a desktop',
      address: '198.51.100.7',
      is_same_network: false,
      created_at: new Date(clock.now()).toISOString(),
      expires_at: new Date(clock.now() + requestMs).toISOString(),
    })
    expect(await told()).toEqual([{ state: 'scanned', number: waiting.number }])
    expect((await open(phone, id, '198.51.100.7')).is_same_network).toBe(true)
    clock.advance(60_000)
    await provider.confirm(phone, id)
    const code = await codeOf()
    expect(code).toMatch(/^[\w-]{43}$/)
    expect(await look()).toEqual({ kind: 'confirmed', code })
    expect(await redeem()).toEqual({
      userId: phone.userId,
      epoch: 0,
      // Not the moment of the confirmation: nobody has shown a password for it.
      authenticatedAt: phone.recentUntil - recentMs,
    })
    expect(await look()).toEqual({ kind: 'over' })
  })

  it('is opened by one account alone, which may look again', async () => {
    const id = await begin()
    await open(phone, id)
    await open(phone, id)
    expect((await told()).length).toBe(1)
    for (const act of [open, provider.confirm, provider.refuse]) {
      await expect(act(other, id)).rejects.toMatchObject(gone)
    }
    await provider.confirm(phone, id)
  })

  it('is answered by nobody who has not seen what asks', async () => {
    const id = await begin()
    await expect(provider.confirm(phone, id)).rejects.toMatchObject(gone)
    await expect(provider.refuse(phone, id)).rejects.toMatchObject(gone)
    expect((await look()).kind).toBe('waiting')
  })

  it('of many who open it one is first; of many answers one counts', async () => {
    const id = await begin()
    expect(await race(() => open(phone, id))).toBe(times)
    expect((await told()).length).toBe(1)
    expect(await race(() => provider.confirm(phone, id))).toBe(1)
    expect((await told()).map(each => each.state)).toEqual(['scanned', 'confirmed'])
    await expect(provider.refuse(phone, id)).rejects.toMatchObject(gone)
    await expect(open(phone, id)).rejects.toMatchObject(gone)
  })

  it('of two accounts that open it at once one gets it', async () => {
    const id = await begin()
    const answers = await Promise.allSettled([open(phone, id), open(other, id)])
    expect(answers.map(each => each.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('gives no code where it was refused', async () => {
    const id = await begin()
    await open(phone, id)
    await provider.refuse(phone, id)
    expect(await look()).toEqual({ kind: 'refused' })
    expect((await told()).at(-1)).toEqual({ state: 'denied' })
    await expect(provider.confirm(phone, id)).rejects.toMatchObject(gone)
    await expect(redeem({ code: 'guess' })).rejects.toMatchObject(refused)
  })

  it('can be opened and answered until the sign-on ends, and not a moment longer', async () => {
    const id = await begin()
    const short = await begin('short', { expiresAt: clock.now() + 1_000 })
    await open(phone, short)
    clock.advance(1_000)
    await expect(provider.confirm(phone, short)).rejects.toMatchObject(gone)
    clock.advance(requestMs - 1_001)
    await open(phone, id)
    clock.advance(1)
    await expect(open(phone, id)).rejects.toMatchObject(gone)
    await expect(provider.confirm(phone, id)).rejects.toMatchObject(gone)
    expect(await look()).toEqual({ kind: 'over' })
  })

  async function confirmed(): Promise<void> {
    const id = await begin()
    await open(phone, id)
    await provider.confirm(phone, id)
  }

  it('trades a code in once, however many try', async () => {
    await confirmed()
    expect(await race(() => redeem())).toBe(1)
  })

  it.each([
    ['another state', { state: 'other' }],
    ['an unknown code', { code: 'c'.repeat(43) }],
  ])('trades nothing in for %s, and leaves the code alone', async (_, changes) => {
    await confirmed()
    await expect(redeem(changes)).rejects.toMatchObject(refused)
    expect(await redeem()).toMatchObject({ userId: phone.userId })
  })

  it.each([
    ['a wrong verifier', { codeVerifier: 'w'.repeat(43) }],
    ['another address to come back to', { redirectUri: `${redirectUri}/` }],
  ])('voids a code that comes with %s', async (_, changes) => {
    await confirmed()
    await expect(redeem(changes)).rejects.toMatchObject(refused)
    await expect(redeem()).rejects.toMatchObject(refused)
  })

  it('takes a code for 60 seconds', async () => {
    await confirmed()
    clock.advance(codeMs)
    await expect(redeem()).rejects.toMatchObject(refused)
    expect(await look()).toEqual({ kind: 'over' })
  })

  it('takes no code of a session that has ended meanwhile', async () => {
    await confirmed()
    await sessions.endAll(phone.userId, null)
    await expect(redeem()).rejects.toMatchObject(refused)
  })

  it.each([
    ['another address to come back to', { redirectUri: 'http://evil.example/custom/sso/callback' }],
    ['one with more behind it', { redirectUri: `${redirectUri}?x` }],
    ['another case', { redirectUri: redirectUri.toUpperCase() }],
    ['an unknown state', { state: 'other' }],
  ])('knows nothing of %s', async (_, changes) => {
    await begin()
    const input = { state: 'state', redirectUri, ...desktop, ...changes }
    expect(await provider.look(input)).toEqual({ kind: 'unknown' })
  })

  it('shows no other browser how it stands', async () => {
    await confirmed()
    const found = await provider.look({ state: 'state', redirectUri, browserKey: 'other' })
    expect(found.kind).toBe('elsewhere')
    expect(JSON.stringify(found)).not.toContain(await codeOf())
  })

  it('keeps nothing that signs a thief of the table in', async () => {
    const id = await begin('the-state')
    await open(phone, id)
    await provider.confirm(phone, id)
    const rows = await database.db.selectFrom('sso_requests').selectAll().execute()
    const text = JSON.stringify(rows)
    for (const secret of [id, 'the-state', await codeOf(), desktop.browserKey]) {
      expect(text).not.toContain(`:"${secret}"`)
    }
  })

  it('forgets what a browser began, its code too, and nothing of others', async () => {
    await confirmed()
    const code = await codeOf()
    await begin('neighbour', { browserKey: 'neighbour' })
    await provider.forget('desktop')
    expect(await look()).toEqual({ kind: 'unknown' })
    await expect(redeem({ code })).rejects.toMatchObject(refused)
    const left = await provider.look({ state: 'neighbour', redirectUri, browserKey: 'neighbour' })
    expect(left.kind).toBe('waiting')
  })

  it('removes what is long over', async () => {
    await begin()
    clock.advance(2 * 60 * 60 * 1000)
    await provider.removeOld()
    expect(await look()).toEqual({ kind: 'unknown' })
  })
})
