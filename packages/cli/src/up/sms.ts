import type { SmsSettings } from '@homeport/server'

/** What an operator said about text messages, as parsed from flags and environment; see `options.ts`. */
export interface SmsInput {
  sms: SmsSettings['way'] | undefined
  smsKeyId: string | undefined
  smsKeySecret: string | undefined
  smsSignName: string | undefined
  smsTemplate: string | undefined
  smsAppId: string | undefined
  smsRegion: string
  smsEndpoint: string | undefined
}

const vendorFields = {
  smsKeyId: 'HOMEPORT_SMS_KEY_ID',
  smsKeySecret: 'HOMEPORT_SMS_KEY_SECRET',
  smsSignName: 'HOMEPORT_SMS_SIGN_NAME',
  smsTemplate: 'HOMEPORT_SMS_TEMPLATE',
  smsAppId: 'HOMEPORT_SMS_APP_ID',
} as const

const vendors = {
  aliyun: {
    endpoint: 'https://dysmsapi.aliyuncs.com',
    needed: ['smsKeyId', 'smsKeySecret', 'smsSignName', 'smsTemplate'],
    template: /^SMS_\d+$/,
    templateForm: 'SMS_ and digits',
  },
  tencent: {
    endpoint: 'https://sms.tencentcloudapi.com',
    needed: ['smsKeyId', 'smsKeySecret', 'smsSignName', 'smsTemplate', 'smsAppId'],
    template: /^\d+$/,
    templateForm: 'digits',
  },
} as const

/** Settles how text messages are sent; every problem is named at once. `mode` is null where it could not be settled. */
export function settleSms(
  input: SmsInput,
  mode: 'development' | 'production' | null,
): { sms: SmsSettings; problems: string[] } {
  const way = input.sms ?? (mode === 'development' ? 'outbox' : 'off')
  if (way === 'aliyun' || way === 'tencent') return settleVendor(input, way)
  const problems: string[] = []
  if (way === 'outbox' && mode === 'production') {
    problems.push(
      'HOMEPORT_SMS=outbox is for development alone: everybody could read the codes of everybody',
    )
  }
  const given = fieldsOf(vendorFields).filter(field => input[field] !== undefined)
  if (input.sms === undefined && given.length > 0) {
    problems.push(
      `${given.map(field => vendorFields[field]).join(', ')} without HOMEPORT_SMS: say aliyun or tencent`,
    )
  }
  return { sms: { way }, problems }
}

function settleVendor(
  input: SmsInput,
  way: 'aliyun' | 'tencent',
): { sms: SmsSettings; problems: string[] } {
  const vendor = vendors[way]
  const problems = vendor.needed
    .filter(field => input[field] === undefined)
    .map(field => `HOMEPORT_SMS=${way} needs ${vendorFields[field]}`)
  const { smsTemplate = '', smsAppId = '', smsEndpoint = vendor.endpoint } = input
  if (smsTemplate !== '' && !vendor.template.test(smsTemplate)) {
    problems.push(`HOMEPORT_SMS_TEMPLATE of ${way} is ${vendor.templateForm}`)
  }
  if (smsAppId !== '' && !/^\d+$/.test(smsAppId)) problems.push('HOMEPORT_SMS_APP_ID is digits')
  const endpoint = new URL(smsEndpoint)
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(endpoint.hostname)
  if (endpoint.protocol !== 'https:' && !isLoopback) {
    problems.push('HOMEPORT_SMS_ENDPOINT must be https: codes would travel in the clear')
  }
  const shared = {
    keyId: input.smsKeyId ?? '',
    keySecret: input.smsKeySecret ?? '',
    signName: input.smsSignName ?? '',
    template: smsTemplate,
    endpoint: endpoint.origin,
  }
  const sms: SmsSettings =
    way === 'aliyun'
      ? { way, ...shared }
      : { way, ...shared, appId: smsAppId, region: input.smsRegion }
  return { sms, problems }
}

const fieldsOf = <T extends object>(fields: T) => Object.keys(fields) as (keyof T)[]
