import { afterEach, beforeEach, expect, it } from 'vitest'
import { isAcs3Signed, startTestVendor, type TestVendor } from '../sms/testing.ts'
import { startTestServer, type TestAnswer, type TestServer } from '../testing.ts'
import { askForCode, openVisitor } from './testing.ts'

const phone = '+8613800138000'
const key = { id: 'LTAI-test', secret: 'a secret of the vendor' }
const answerOf = (Code: string) => ({ status: 200, body: { Code, Message: '', RequestId: 'A' } })
const codeOf = ({ status, problem }: TestAnswer) => [status, problem().code]

let vendor: TestVendor
let test: TestServer
beforeEach(async () => {
  vendor = await startTestVendor(request => isAcs3Signed(request, key), {
    well: answerOf('OK'),
    throttled: answerOf('isv.BUSINESS_LIMIT_CONTROL'),
    unsigned: answerOf('SignatureDoesNotMatch'),
  })
})
afterEach(async () => {
  await test.stop()
  await vendor.stop()
})

const start = (keySecret = key.secret, signup: 'open' | 'invite' = 'open') =>
  startTestServer({
    signup,
    sms: {
      way: 'aliyun',
      keyId: key.id,
      keySecret,
      signName: '归港',
      template: 'SMS_1',
      endpoint: `http://127.0.0.1:${vendor.port}`,
    },
  })

/** The code in the message that the vendor was given last. */
const lastCode = () =>
  JSON.parse(vendor.received.at(-1)?.url.searchParams.get('TemplateParam') ?? '{}').code

it('signs in with the code that the vendor carried', async () => {
  test = await start()
  const browser = await openVisitor(test)
  expect((await askForCode(test, browser, { scene: 'login', phone })).status).toBe(200)
  const answer = await browser.post('/api/verify/login/phone/', { phone, code: lastCode() })
  expect(answer.status).toBe(200)
})

it('says that a message was not sent, and its code opens nothing', async () => {
  test = await start('wrong')
  const browser = await openVisitor(test)
  const sent = await askForCode(test, browser, { scene: 'login', phone })
  expect(codeOf(sent)).toEqual([503, 'sms_unsent'])
  const answer = await browser.post('/api/verify/login/phone/', { phone, code: lastCode() })
  expect(codeOf(answer)).toEqual([422, 'sms_code_wrong'])
  const log = test.log.join('')
  expect(log).toContain('a text message was not sent')
  expect(log).toContain('SignatureDoesNotMatch')
  for (const secret of [lastCode(), phone.slice(3), key.secret, 'wrong']) {
    expect(log).not.toContain(secret)
  }
})

it('asks for patience where the vendor holds a number back', async () => {
  test = await start()
  vendor.mood = 'throttled'
  const answer = await askForCode(test, await openVisitor(test), { scene: 'login', phone })
  expect(codeOf(answer)).toEqual([429, 'rate_limited'])
  expect(answer.headers['retry-after']).toBe('60')
})

it('answers before the vendor does where only owners get a message', async () => {
  test = await start(key.secret, 'invite')
  const owner = await test.signIn()
  await askForCode(test, owner, { scene: 'bind', phone })
  const bound = await owner.post('/api/verify/phone/bind/', { phone, code: lastCode() })
  expect(bound.status).toBe(200)
  // Silent from here: whoever waited for it would not answer at all.
  vendor.mood = 'silent'
  test.clock.advance(60_000)
  const arrived = vendor.nextRequest()
  const browser = await openVisitor(test)
  const answers = [
    await askForCode(test, browser, { scene: 'reset', phone }),
    await askForCode(test, browser, { scene: 'reset', phone: '+8613900139000' }),
  ]
  expect(answers.map(({ status, text }) => [status, text])).toEqual([
    [200, answers[0]?.text],
    [200, answers[0]?.text],
  ])
  await arrived
  expect(vendor.received).toHaveLength(2)
  test.clock.advance(5_000)
})
