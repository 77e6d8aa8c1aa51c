import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { SmsMessage, SmsSender } from './sender.ts'
import type { SmsVendorSettings } from './settings.ts'
import { askVendor, judgeCode, readText, type VendorParts, type VendorRequest } from './vendor.ts'

const algorithm = 'ACS3-HMAC-SHA256'

/** Text messages by Alibaba Cloud: SendSms of the API version 2017-05-25. */
export function createAliyunSender(settings: SmsVendorSettings, parts: VendorParts): SmsSender {
  return {
    async send(message) {
      const now = new Date(parts.clock.now())
      const nonce = randomBytes(16).toString('hex')
      const answer = await askVendor(parts, createAliyunRequest(settings, message, { now, nonce }))
      judgeCode(readText(answer, 'Code'), 'OK', /^Throttling|LIMIT_CONTROL$/)
    },
  }
}

/** The request of one message. Its parameters stand in the query, as the vendor's own library sends them. */
export function createAliyunRequest(
  settings: SmsVendorSettings,
  { phone, code }: Pick<SmsMessage, 'phone' | 'code'>,
  { now, nonce }: { now: Date; nonce: string },
): VendorRequest {
  const query = {
    PhoneNumbers: phone.startsWith('+86') ? phone.slice(3) : phone.slice(1),
    SignName: settings.signName,
    TemplateCode: settings.template,
    TemplateParam: JSON.stringify({ code }),
  }
  const headers = {
    'x-acs-action': 'SendSms',
    'x-acs-version': '2017-05-25',
    'x-acs-date': now.toISOString().replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': nonce,
    'x-acs-content-sha256': sha256(''),
  }
  const { host, origin } = new URL(settings.endpoint)
  const Authorization = signAcs3(settings, query, { host, ...headers })
  return {
    url: `${origin}/?${encodeQuery(query)}`,
    headers: { ...headers, accept: 'application/json', Authorization },
  }
}

/** The value of `Authorization` for a POST without a body: canonical request, its hash, the HMAC of both. */
export function signAcs3(
  { keyId, keySecret }: Pick<SmsVendorSettings, 'keyId' | 'keySecret'>,
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): string {
  const signed = Object.keys(headers).sort()
  const canonical = [
    'POST',
    '/',
    encodeQuery(query),
    ...signed.map(name => `${name}:${headers[name]?.trim()}`),
    '',
    signed.join(';'),
    sha256(''),
  ].join('\n')
  const signature = createHmac('sha256', keySecret)
    .update(`${algorithm}\n${sha256(canonical)}`)
    .digest('hex')
  return `${algorithm} Credential=${keyId},SignedHeaders=${signed.join(';')},Signature=${signature}`
}

const encodeQuery = (query: Readonly<Record<string, string>>) =>
  Object.entries(query)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join('&')

// RFC 3986: what encodeURIComponent leaves, but for these five.
const encode = (text: string) =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
