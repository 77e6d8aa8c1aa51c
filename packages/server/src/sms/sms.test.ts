import { Agent, request as sendRequest } from 'node:http'
import { createRequire } from 'node:module'
import { systemClock } from '@homeport/runtime'
import { createManualClock } from '@homeport/runtime/testing'
import tencentSdk from 'tencentcloud-sdk-nodejs-sms'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAliyunRequest, createAliyunSender, signAcs3 } from './aliyun.ts'
import type { SmsError } from './sender.ts'
import { createTencentRequest, createTencentSender } from './tencent.ts'
import {
  isAcs3Signed,
  isTc3Signed,
  type ReceivedRequest,
  startTestVendor,
  type TestVendor,
} from './testing.ts'

// CommonJS whose default export is a field: an import of it is one thing to the compiler and another to the test's loader.
const { default: AliyunClient, SendSmsRequest } = createRequire(import.meta.url)(
  '@alicloud/dysmsapi20170525',
) as typeof import('@alicloud/dysmsapi20170525')

const key = { id: 'LTAI-test', secret: 'a secret of the vendor' }
const shared = { keyId: key.id, keySecret: key.secret, signName: '归港 (测试)*' }
const message = { phone: '+8613800138000', code: '040506', scene: 'login' as const }

let vendor: TestVendor
afterEach(() => vendor.stop())

const failureOf = (sending: Promise<void>): Promise<SmsError> =>
  sending.then(
    () => {
      throw new Error('it was sent')
    },
    error => error,
  )

describe('Alibaba Cloud', () => {
  beforeEach(async () => {
    vendor = await startTestVendor(request => isAcs3Signed(request, key), {
      well: { status: 200, body: { Code: 'OK', Message: 'OK', BizId: '1^0', RequestId: 'A' } },
      throttled: {
        status: 200,
        body: { Code: 'isv.BUSINESS_LIMIT_CONTROL', Message: '触发分钟级流控', RequestId: 'A' },
      },
      unsigned: {
        status: 400,
        body: { Code: 'SignatureDoesNotMatch', Message: `${message.code}`, RequestId: 'A' },
      },
    })
  })

  const settings = () => ({
    ...shared,
    template: 'SMS_154950909',
    endpoint: `http://127.0.0.1:${vendor.port}`,
  })
  const sender = (more: object = {}, clock = systemClock) =>
    createAliyunSender({ ...settings(), ...more }, { clock, fetch: globalThis.fetch })

  /** The same message by the vendor's own library. */
  async function sendByLibrary(keySecret = key.secret) {
    const client = new AliyunClient({
      accessKeyId: key.id,
      accessKeySecret: keySecret,
      endpoint: `127.0.0.1:${vendor.port}`,
      protocol: 'http',
    } as ConstructorParameters<typeof AliyunClient>[0])
    return client.sendSms(
      new SendSmsRequest({
        phoneNumbers: '13800138000',
        signName: shared.signName,
        templateCode: 'SMS_154950909',
        templateParam: JSON.stringify({ code: message.code }),
      }),
    )
  }

  it('is asked the same by us as by its own library', async () => {
    expect((await sendByLibrary()).body?.code).toBe('OK')
    await sender().send(message)
    const [theirs, ours] = vendor.received
    const plain = ({ method, url, body }: ReceivedRequest) => [
      method,
      url.pathname,
      [...url.searchParams].sort(),
      body,
    ]
    expect(plain(ours as ReceivedRequest)).toEqual(plain(theirs as ReceivedRequest))
    for (const name of ['host', 'x-acs-action', 'x-acs-version', 'x-acs-content-sha256']) {
      expect(ours?.headers[name]).toBe(theirs?.headers[name])
    }
    expect(ours?.headers['x-acs-date']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(theirs?.headers['x-acs-date']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  })

  it('is signed for the same by us as by its own library', async () => {
    await sendByLibrary()
    const [theirs] = vendor.received
    const headers = theirs?.headers ?? {}
    const signed = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name === 'host' || name.startsWith('x-acs-')),
    ) as Record<string, string>
    const query = Object.fromEntries(theirs?.url.searchParams ?? [])
    expect(signAcs3(settings(), query, signed)).toBe(headers.authorization)
    // The whole request, signed at the same instant with the same nonce, differs by what the library adds about itself.
    const ours = createAliyunRequest(settings(), message, {
      now: new Date(signed['x-acs-date'] ?? ''),
      nonce: signed['x-acs-signature-nonce'] ?? '',
    })
    for (const [name, value] of Object.entries(ours.headers)) {
      if (name !== 'Authorization') expect(headers[name]).toBe(value)
    }
  })

  it.each([
    ['+8613800138000', '13800138000'],
    ['+85251234567', '85251234567'],
  ])('is given %s as %s', async (phone, given) => {
    await sender().send({ ...message, phone })
    expect(vendor.received[0]?.url.searchParams.get('PhoneNumbers')).toBe(given)
  })

  it('refuses a wrong key, to its own library too', async () => {
    await expect(sendByLibrary('wrong')).rejects.toMatchObject({ code: 'SignatureDoesNotMatch' })
    const error = await failureOf(sender({ keySecret: 'wrong' }).send(message))
    expect(error).toMatchObject({ name: 'SmsError', failure: 'refused' })
    expect(error.message).toBe('the vendor of text messages answered SignatureDoesNotMatch')
  })

  it('says that a number got too many', async () => {
    vendor.mood = 'throttled'
    const error = await failureOf(sender().send(message))
    expect(error).toMatchObject({ failure: 'throttled' })
  })

  it('is given up after five seconds of silence', async () => {
    vendor.mood = 'silent'
    const clock = createManualClock(Date.now())
    const arrived = vendor.nextRequest()
    const failure = failureOf(sender({}, clock).send(message))
    await arrived
    clock.advance(5_000)
    expect(await failure).toMatchObject({ failure: 'unreachable' })
  })

  it('is unreachable where nobody listens, and tells nothing of the message', async () => {
    const error = await failureOf(sender({ endpoint: 'http://127.0.0.1:1' }).send(message))
    expect(error).toMatchObject({ failure: 'unreachable' })
    expect(`${error.message} ${String(error.cause)}`).not.toContain(message.code)
  })
})

describe('Tencent Cloud', () => {
  const host = 'sms.tencentcloudapi.com'

  beforeEach(async () => {
    const status = (Code: string) => ({ PhoneNumber: message.phone, Code, Message: '' })
    vendor = await startTestVendor(request => isTc3Signed(request, key), {
      well: { status: 200, body: { Response: { SendStatusSet: [status('Ok')], RequestId: 'A' } } },
      throttled: {
        status: 200,
        body: {
          Response: {
            SendStatusSet: [status('LimitExceeded.PhoneNumberThirtySecondLimit')],
            RequestId: 'A',
          },
        },
      },
      unsigned: {
        status: 200,
        body: {
          Response: {
            Error: { Code: 'AuthFailure.SignatureFailure', Message: message.code },
            RequestId: 'A',
          },
        },
      },
    })
  })

  const settings = () => ({
    ...shared,
    template: '1110',
    appId: '1400006666',
    region: 'ap-guangzhou',
    endpoint: `http://127.0.0.1:${vendor.port}`,
  })
  const sender = (more: object = {}, clock = systemClock) =>
    createTencentSender({ ...settings(), ...more }, { clock, fetch: globalThis.fetch })

  /** The same message by the vendor's own library; it names the service after its host, so the host is the real one, on this machine. */
  async function sendByLibrary(secretKey = key.secret) {
    const Client = tencentSdk.sms.v20210111.Client
    const agent = new Agent({
      lookup: (_, options, done) =>
        options.all === true
          ? done(null, [{ address: '127.0.0.1', family: 4 }])
          : done(null, '127.0.0.1', 4),
    })
    const client = new Client({
      credential: { secretId: key.id, secretKey },
      region: 'ap-guangzhou',
      profile: {
        httpProfile: { endpoint: `${host}:${vendor.port}`, protocol: 'http://', agent },
      },
    })
    try {
      return await client.SendSms({
        PhoneNumberSet: [message.phone],
        SmsSdkAppId: '1400006666',
        TemplateId: '1110',
        SignName: shared.signName,
        TemplateParamSet: [message.code],
      })
    } finally {
      agent.destroy()
    }
  }

  it('is asked and signed for the same by us as by its own library', async () => {
    const answer = await sendByLibrary()
    expect(answer.SendStatusSet?.[0]?.Code).toBe('Ok')
    const [theirs] = vendor.received
    const at = Number(theirs?.headers['x-tc-timestamp'])
    const ours = createTencentRequest({ ...settings(), endpoint: `http://${host}` }, message, at)
    expect(ours.body).toBe(theirs?.body)
    for (const [name, value] of Object.entries(ours.headers)) {
      expect(theirs?.headers[name.toLowerCase()]).toBe(value)
    }
    expect(ours.url).toBe(`http://${host}/`)
    // And it arrives so: the very bytes, sent to the vendor under its own name.
    const reply = Promise.withResolvers<number | undefined>()
    sendRequest({
      host: '127.0.0.1',
      port: vendor.port,
      method: 'POST',
      path: '/',
      headers: {
        ...ours.headers,
        Host: host,
        'Content-Length': Buffer.byteLength(ours.body ?? ''),
      },
    })
      .on('response', response => {
        response.resume()
        reply.resolve(response.statusCode)
      })
      .on('error', reply.reject)
      .end(ours.body)
    expect(await reply.promise).toBe(200)
    expect(isTc3Signed(vendor.received[1] as ReceivedRequest, key)).toBe(true)
  })

  it('takes a message', async () => {
    await sender().send(message)
    expect(JSON.parse(vendor.received[0]?.body ?? '')).toEqual({
      PhoneNumberSet: [message.phone],
      SmsSdkAppId: '1400006666',
      TemplateId: '1110',
      SignName: shared.signName,
      TemplateParamSet: [message.code],
    })
  })

  it('refuses a wrong key, to its own library too', async () => {
    await expect(sendByLibrary('wrong')).rejects.toMatchObject({
      code: 'AuthFailure.SignatureFailure',
    })
    const error = await failureOf(sender({ keySecret: 'wrong' }).send(message))
    expect(error).toMatchObject({ failure: 'refused' })
    expect(error.message).toBe('the vendor of text messages answered AuthFailure.SignatureFailure')
  })

  it('says that a number got too many', async () => {
    vendor.mood = 'throttled'
    expect(await failureOf(sender().send(message))).toMatchObject({ failure: 'throttled' })
  })

  it('is given up after five seconds of silence', async () => {
    vendor.mood = 'silent'
    const clock = createManualClock(Date.now())
    const arrived = vendor.nextRequest()
    const failure = failureOf(sender({}, clock).send(message))
    await arrived
    clock.advance(5_000)
    expect(await failure).toMatchObject({ failure: 'unreachable' })
  })
})
