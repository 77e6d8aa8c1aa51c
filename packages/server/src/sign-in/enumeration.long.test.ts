import { expect, it } from 'vitest'
import { ownEmail } from '../accounts/testing.ts'
import { makeTicket, signInByPhone } from '../phone/testing.ts'
import { turnOn } from '../second-factor/testing.ts'
import { admin, startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { expectAlike, type Sort } from './testing-times.ts'

// Whether an account exists must not be told by the time of an answer.

const most = 1_000_000

async function withServer(
  failedSignInBurst: number,
  use: (test: TestServer) => Promise<void>,
): Promise<void> {
  const test = await startTestServer({
    signup: 'open',
    limits: { failedSignInBurst, callBurst: most, callsPerSecond: most },
  })
  try {
    await use(test)
  } finally {
    await test.stop()
  }
}

async function open(test: TestServer, address = '192.0.2.1'): Promise<TestBrowser> {
  const browser = test.open({ address })
  await browser.get('/api/login_status/')
  return browser
}

const knownPhone = '+8613800138000'
const unknownPhone = '+8613800138001'

const timeoutMs = 570_000

const fail = (browser: TestBrowser, account: string, code: string) => async () => {
  const answer = await browser.post('/custom/login/', { account, password: 'wrong password' })
  expect(answer.problem().code).toBe(code)
}

it(
  'a wrong password takes as long for an account that exists',
  () =>
    withServer(most, async test => {
      await ownEmail(test, await test.signIn(), 'owner@example.com')
      await turnOn(test, await test.signUp('two-steps'))
      await signInByPhone(test, knownPhone)
      const browser = await open(test)
      const wrong = (account: string) => () => fail(browser, account, 'invalid_credentials')
      const sorts = {
        'unknown name': wrong('nobody'),
        'known name': wrong(admin.account),
        'unknown address': wrong('nobody@example.com'),
        'known address': wrong('owner@example.com'),
        'with two steps': wrong('two-steps'),
        'unknown number': wrong(unknownPhone),
        'known number, no password': wrong(knownPhone),
      }
      await expectAlike('a wrong password', sorts, {
        mostRounds: 400,
        watch: 'processor',
      })
    }),
  timeoutMs,
)

it.each([
  ['captcha_required', 3],
  ['rate_limited', 20],
] as const)(
  '%s takes as long for an account that exists',
  (code, burst) =>
    withServer(burst, async test => {
      for (let n = 0; n < burst; n += 1) {
        for (const account of [admin.account, 'nobody']) {
          await fail(await open(test, `198.51.100.${n}`), account, 'invalid_credentials')()
        }
      }
      const browser = await open(test)
      const sorts = {
        'unknown name': () => fail(browser, 'nobody', code),
        'known name': () => fail(browser, admin.account, code),
      }
      await expectAlike(code, sorts, { mostRounds: 3000 })
    }),
  timeoutMs,
)

it.each([
  ['login', '/api/verify/login/phone/'],
  ['reset', '/api/verify/password/reset/'],
] as const)(
  'asking for a code for %s, and a wrong one, take as long for a number that is bound',
  (scene, path) =>
    withServer(most, async test => {
      await signInByPhone(test, knownPhone)
      const browser = await open(test)
      const send =
        (phone: string): Sort =>
        async () => {
          const captcha_ticket = await makeTicket(test, scene)
          return async () => {
            const answer = await browser.post('/api/verify/sms/send/', {
              phone,
              scene,
              captcha_ticket,
            })
            expect(answer.status).toBe(200)
          }
        }
      const guess =
        (phone: string): Sort =>
        () =>
        async () => {
          const body = { phone, code: '000000', password: 'another horse battery' }
          expect((await browser.post(path, body)).problem().code).toBe('sms_code_wrong')
        }
      // A number gets ten messages a day, an address one in 3 minutes.
      const options = { mostRounds: 2000, beforeRound: () => test.clock.advance(3 * 3_600_000) }
      const ofNumbers = (sort: (phone: string) => Sort) => ({
        'unknown number': sort(unknownPhone),
        'known number': sort(knownPhone),
      })
      await expectAlike(`a code for ${scene}`, ofNumbers(send), options)
      await expectAlike(`a wrong code for ${scene}`, ofNumbers(guess), options)
    }),
  timeoutMs,
)

it(
  'asking for a link to reset the password takes as long for an address that an account has',
  () =>
    withServer(most, async test => {
      await ownEmail(test, await test.signIn(), 'owner@example.com')
      const other = await test.signUp('waiting')
      await other.send('PATCH', '/custom/profile/', { email: 'waiting@example.com' })
      const browser = await open(test)
      const ask =
        (email: string): Sort =>
        async () => {
          const captcha_ticket = await makeTicket(test, 'reset')
          return async () => {
            const answer = await browser.post('/api/verify/password/mail/', {
              email,
              captcha_ticket,
            })
            expect(answer.status).toBe(200)
          }
        }
      const sorts = {
        'unknown address': ask('nobody@example.com'),
        'address that waits': ask('waiting@example.com'),
        'known address': ask('owner@example.com'),
      }
      // An address gets ten letters a day, who asks one in 3 minutes.
      await expectAlike('a link to reset', sorts, {
        mostRounds: 1000,
        // What follows the answer waits for the disk, and for what else is written there.
        watch: 'processor',
        beforeRound: () => test.clock.advance(3 * 3_600_000),
      })
    }),
  timeoutMs,
)
