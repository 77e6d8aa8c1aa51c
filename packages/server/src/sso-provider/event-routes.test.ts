import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { pollsPerBrowserLimit } from './poll-places.ts'

let test: TestServer
let browser: TestBrowser
beforeAll(async () => {
  test = await startTestServer()
})
afterAll(() => test.stop())
beforeEach(async () => {
  browser = test.open()
  await browser.get('/api/login_status/')
})

const category = (index = 0) => `weixin-oauth-${String(index).padStart(22, 'a')}`
const path = (query: Record<string, string | number> = {}) =>
  `/sso/events?${new URLSearchParams(
    Object.entries({ timeout: 30, category: category(), since_time: 0, ...query }).map(
      ([name, value]) => [name, String(value)],
    ),
  )}`

/** Waits until so many timers more are set than before: each poll that waits has one. */
async function untilWaiting(count: number, before: number): Promise<void> {
  await expect.poll(() => test.clock.waitingCount() - before).toBe(count)
}

describe('the long poll', () => {
  it('waits as long as it was told, then answers with that and the time', async () => {
    const before = test.clock.waitingCount()
    const answer = browser.get(path({ timeout: 7 }))
    await untilWaiting(1, before)
    test.clock.advance(6_999)
    expect(test.clock.waitingCount()).toBe(before + 1)
    test.clock.advance(1)
    const { status, headers, json } = await answer
    expect(status).toBe(200)
    expect(json()).toEqual({ timeout: 7, timestamp: test.clock.now() })
    expect(headers['cache-control']).toBe('no-store')
  })

  it.each([
    [{ timeout: 0 }, ['timeout']],
    [{ timeout: 31 }, ['timeout']],
    [
      { timeout: 'x', category: 'weixin-oauth-1', since_time: -1 },
      ['timeout', 'category', 'since_time'],
    ],
    [{ category: 'weixin-oauth-' }, ['category']],
    [{ category: `other-${'a'.repeat(22)}` }, ['category']],
    [{ category: `${category()}\n` }, ['category']],
    [{ since_time: 1.5 }, ['since_time']],
  ])('refuses %j at once, and names all that is wrong', async (query, fields) => {
    const answer = await browser.get(path(query))
    expect([answer.status, answer.problem().code]).toEqual([422, 'invalid_input'])
    expect(answer.problem().errors?.map(error => error.path)).toEqual(fields)
  })

  it.each(['HEAD', 'POST'])('takes no %s', async method => {
    const answer = await browser.send(method, path())
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET'])
  })

  it('bounds the polls of a browser: the oldest is answered when there are too many', async () => {
    const before = test.clock.waitingCount()
    const answers = Array.from({ length: pollsPerBrowserLimit }, (_, index) =>
      browser.get(path({ category: category(index) })),
    )
    await untilWaiting(pollsPerBrowserLimit, before)
    const newer = browser.get(path({ category: category(99) }))
    expect((await Promise.race(answers)).json().timeout).toBe(30)
    await untilWaiting(pollsPerBrowserLimit, before)
    test.clock.advance(30_000)
    for (const answer of await Promise.all([...answers, newer])) expect(answer.status).toBe(200)
  })

  it('lets two polls of one category wait, and forgets whoever hangs up', async () => {
    const before = test.clock.waitingCount()
    const older = browser.get(path())
    await untilWaiting(1, before)
    const gone = new AbortController()
    const newer = browser.openStream(path(), gone.signal)
    await untilWaiting(2, before)
    gone.abort()
    await expect(newer).rejects.toThrow('aborted')
    await untilWaiting(1, before)
    test.clock.advance(30_000)
    expect((await older).json().timeout).toBe(30)
  })

  it('is answered when the server stops', async () => {
    const own = await startTestServer()
    const before = own.clock.waitingCount()
    const waiting = [own.open().get(path()), own.open().get(path())]
    await expect.poll(() => own.clock.waitingCount()).toBe(before + 2)
    own.server.refuse()
    const answers = await Promise.all(waiting)
    // Whoever asks between this and the end does not wait either.
    answers.push(await own.open().get(path()))
    await own.stop()
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(answer.json()).toEqual({ timeout: 30, timestamp: own.clock.now() })
    }
  })
})
