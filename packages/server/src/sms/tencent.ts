import { createHash, createHmac } from 'node:crypto'
import type { SmsMessage, SmsSender } from './sender.ts'
import type { SmsSettings } from './settings.ts'
import { askVendor, judgeCode, readText, type VendorParts, type VendorRequest } from './vendor.ts'

const algorithm = 'TC3-HMAC-SHA256'
const service = 'sms'

/** Settings of Tencent Cloud. */
export type TencentSettings = Omit<Extract<SmsSettings, { way: 'tencent' }>, 'way'>

/** Text messages by Tencent Cloud: SendSms of the API version 2021-01-11. */
export function createTencentSender(settings: TencentSettings, parts: VendorParts): SmsSender {
  return {
    async send(message) {
      const nowSeconds = Math.floor(parts.clock.now() / 1000)
      const answer = await askVendor(parts, createTencentRequest(settings, message, nowSeconds))
      // A request may be taken as a whole while its one number was not.
      const code =
        readText(answer, 'Response', 'Error', 'Code') ||
        readText(answer, 'Response', 'SendStatusSet', 0, 'Code')
      judgeCode(code, 'Ok', /^(RequestLimitExceeded|LimitExceeded)/)
    },
  }
}

/** The request of one message. */
export function createTencentRequest(
  settings: TencentSettings,
  { phone, code }: Pick<SmsMessage, 'phone' | 'code'>,
  nowSeconds: number,
): VendorRequest {
  const body = JSON.stringify({
    PhoneNumberSet: [phone],
    SmsSdkAppId: settings.appId,
    TemplateId: settings.template,
    SignName: settings.signName,
    TemplateParamSet: [code],
  })
  const { hostname, origin } = new URL(settings.endpoint)
  return {
    url: `${origin}/`,
    headers: {
      'Content-Type': 'application/json',
      'X-TC-Action': 'SendSms',
      'X-TC-Version': '2021-01-11',
      'X-TC-Region': settings.region,
      'X-TC-Timestamp': String(nowSeconds),
      Authorization: signTc3(settings, { hostname, body, nowSeconds }),
    },
    body,
  }
}

/** The value of `Authorization`: canonical request, its hash, and an HMAC whose key is derived for the day and the service. */
function signTc3(
  { keyId, keySecret }: Pick<TencentSettings, 'keyId' | 'keySecret'>,
  { hostname, body, nowSeconds }: { hostname: string; body: string; nowSeconds: number },
): string {
  const signedHeaders = 'content-type;host'
  const canonical = [
    'POST',
    '/',
    '',
    'content-type:application/json',
    `host:${hostname}`,
    '',
    signedHeaders,
    sha256(body),
  ].join('\n')
  const date = new Date(nowSeconds * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `TC3${keySecret}`,
  )
  const signature = createHmac('sha256', key)
    .update([algorithm, nowSeconds, scope, sha256(canonical)].join('\n'))
    .digest('hex')
  return `${algorithm} Credential=${keyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
