import { CallError, type SsoEventData } from '@homeport/contract'
import { expect, it } from 'vitest'
import { type FollowOptions, followSignOn } from './follow-sign-on.ts'

type Answer = Awaited<ReturnType<FollowOptions['poll']>>
const nothing: Answer = { timeout: 30, timestamp: 5 }
const told = (timestamp: number, ...data: SsoEventData[]): Answer => ({
  events: data.map((each, index) => ({
    timestamp: timestamp + index,
    category: 'weixin-oauth-abc',
    data: each,
  })),
})

/**
 * Follows with these answers, one for each poll, and these of the login status, no for each one that is missing; gives what
 * was asked for, what came and how long was waited.
 */
async function follow(
  answers: (Answer | CallError | 'abort')[],
  statuses: (boolean | CallError)[] = [],
) {
  const asked: object[] = []
  const events: SsoEventData[] = []
  const waits: number[] = []
  let signedIn = 0
  const controller = new AbortController()
  let time = 1_000
  await followSignOn({
    id: 'abc',
    async poll(query) {
      asked.push(query)
      const answer = answers.shift()
      if (answer === undefined) throw new Error('polled once too often')
      if (answer === 'abort') {
        controller.abort()
        throw new CallError('aborted', { detail: '' })
      }
      if (answer instanceof CallError) throw answer
      return answer
    },
    now: () => {
      time += 1
      return time
    },
    wait: async ms => {
      waits.push(ms)
    },
    onEvent: event => events.push(event),
    async isSignedIn() {
      const status = statuses.shift() ?? false
      if (status instanceof CallError) throw status
      return status
    },
    onSignedIn: () => {
      signedIn += 1
    },
    signal: controller.signal,
  })
  return { asked, events, waits, signedIn }
}

it('polls with timeout 30, the category of the sign-on and the current time', async () => {
  const { asked } = await follow([nothing, nothing, 'abort'])
  const query = { timeout: 30, category: 'weixin-oauth-abc' }
  expect(asked).toEqual([
    { ...query, since_time: 1001 },
    { ...query, since_time: 1002 },
    { ...query, since_time: 1003 },
  ])
})

it('says which event it has received, and ends when somebody decided', async () => {
  const confirmed: SsoEventData = { state: 'confirmed', code: 'c' }
  const scanned: SsoEventData = { state: 'scanned', number: '42' }
  const { asked, events } = await follow([told(77, scanned), told(90, confirmed)])
  expect(asked[1]).toMatchObject({ since_time: 77 })
  expect(events).toEqual([scanned, confirmed])
})

it('ends after a no', async () => {
  const { events } = await follow([told(1, { state: 'denied' })])
  expect(events).toEqual([{ state: 'denied' }])
})

it('goes on after a failure, more slowly each time, and as the server asks', async () => {
  const network = new CallError('network', { detail: '' })
  const busy = new CallError('busy', { detail: '', retryAfterSeconds: 7 })
  const { waits } = await follow([network, network, busy, nothing, network, 'abort'])
  expect(waits).toEqual([1000, 2000, 7000, 1000])
})

it('asks whether the browser is signed in while no poll gets through, and ends where it is', async () => {
  const network = new CallError('network', { detail: '' })
  const { asked, waits, signedIn } = await follow(
    [network, network, network],
    [network, false, true],
  )
  expect(asked).toHaveLength(3)
  expect(waits).toEqual([1000, 2000])
  expect(signedIn).toBe(1)
  expect((await follow([nothing, nothing, 'abort'], [true])).signedIn).toBe(0)
})
