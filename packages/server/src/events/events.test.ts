import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createAnnouncement, deleteAnnouncement, eventsPath } from '@homeport/contract'
import { createManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseUserId } from '../accounts/user-id.ts'
import type { Actor } from '../http/actor.ts'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { createEventBus } from './bus.ts'
import { createEventStreams } from './stream.ts'

/** Reads a stream until its text holds `wanted`; fails when the stream ends first. */
async function readUntil(stream: IncomingMessage, wanted: string): Promise<string> {
  let text = ''
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += chunk
    if (text.includes(wanted)) return text
  }
  throw new Error(`the stream ended after: ${text}`)
}

describe('the event stream', () => {
  let test: TestServer
  let staff: TestBrowser
  beforeEach(async () => {
    test = await startTestServer()
    staff = await test.signIn()
  })
  afterEach(() => test.stop())

  const announcement = { title: 't', detail: 'd' }

  it('tells everybody of an announcement, and is no cacheable answer', async () => {
    const user = await test.signUp('plain-user')
    const streams = await Promise.all([staff, user].map(each => each.openStream(eventsPath)))
    for (const stream of streams) {
      expect(stream.statusCode).toBe(200)
      expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
      expect(stream.headers['cache-control']).toBe('no-store')
      await readUntil(stream, 'retry: 3000\n\n')
    }
    const { id } = await staff.call(createAnnouncement, { body: announcement })
    for (const stream of streams) {
      expect(await readUntil(stream, '\n\n')).toBe(
        'event: announcement\ndata: {"type":"announcement"}\n\n',
      )
    }
    await staff.call(deleteAnnouncement, { params: { id } })
    for (const stream of streams) await readUntil(stream, 'announcement')
  })

  it("tells nobody of another user's changes", async () => {
    const user = await test.signUp('plain-user')
    const stream = await user.openStream(eventsPath)
    await staff.send('PATCH', '/custom/profile/', { username: 'renamed' })
    await user.send('PATCH', '/custom/profile/', { username: 'plain-too' })
    await staff.call(createAnnouncement, { body: announcement })
    const text = await readUntil(stream, 'announcement"}')
    expect(text.match(/event: \w+/g)).toEqual(['event: profile', 'event: announcement'])
  })

  it('answers 401 to nobody', async () => {
    const answer = await test.open().get(eventsPath)
    expect([answer.status, answer.problem().code]).toEqual([401, 'not_signed_in'])
  })

  it('sends a comment every 15 s and ends with its session', async () => {
    const stream = await staff.openStream(eventsPath)
    await readUntil(stream, 'retry')
    test.clock.advance(15_000)
    await readUntil(stream, ': \n\n')
    const ended = once(stream, 'end')
    stream.resume()
    await staff.post('/custom/logout')
    await ended
  })

  it('ends the oldest of more than ten of one user', async () => {
    const oldest = await staff.openStream(eventsPath)
    const ended = once(oldest, 'end')
    oldest.resume()
    const others = []
    for (let n = 0; n < 10; n += 1) others.push(await staff.openStream(eventsPath))
    await ended
    await staff.call(createAnnouncement, { body: announcement })
    for (const other of others) await readUntil(other, 'announcement')
  })

  it('does not keep the server from stopping', async () => {
    const own = await startTestServer()
    const browser = await own.signIn()
    const stream = await browser.openStream(eventsPath)
    const ended = once(stream, 'end')
    stream.resume()
    await own.stop()
    await ended
  })
})

describe('streams', () => {
  const actor: Actor = {
    userId: parseUserId(1),
    sessionId: 1,
    sessionPublicId: 'public',
    sessionExpiresAt: Number.MAX_SAFE_INTEGER,
    recentUntil: 0,
    isStaff: false,
    isSuperuser: false,
    isPromoter: false,
  }
  const failOnFault = (cause: unknown) => {
    throw cause
  }

  it('drop a page that does not read, and forget it', async () => {
    const bus = createEventBus(failOnFault)
    const clock = createManualClock()
    const streams = createEventStreams({ bus, clock })
    const body = streams.open(actor)
    const closed = once(body, 'close')
    for (let n = 0; n < 2_000; n += 1) bus.emit(actor.userId, { type: 'router_changed', id: n })
    await closed
    expect(streams.count()).toBe(0)
    expect(clock.waitingCount()).toBe(0)
  })

  it('end when their session expires', async () => {
    const clock = createManualClock()
    const streams = createEventStreams({ bus: createEventBus(failOnFault), clock })
    const body = streams.open({ ...actor, sessionExpiresAt: clock.now() + 10_000 })
    body.resume()
    const ended = once(body, 'end')
    clock.advance(15_000)
    await ended
  })
})

describe('the bus', () => {
  it('goes on after a listener that throws, and reports it', () => {
    const faults: unknown[] = []
    const heard: string[] = []
    const bus = createEventBus(cause => faults.push(cause))
    const user = parseUserId(1)
    bus.subscribe(user, () => {
      throw new Error('broken')
    })
    const stop = bus.subscribe(user, event => heard.push(event.type))
    bus.emit(user, { type: 'profile' })
    stop()
    stop()
    bus.emit('everyone', { type: 'announcement' })
    expect(heard).toEqual(['profile'])
    expect(faults).toHaveLength(2)
  })
})
