import { describe, expect, it } from 'vitest'
import { type SmsInput, settleSms } from './sms.ts'

const nothing: SmsInput = {
  sms: undefined,
  smsKeyId: undefined,
  smsKeySecret: undefined,
  smsSignName: undefined,
  smsTemplate: undefined,
  smsAppId: undefined,
  smsRegion: 'ap-guangzhou',
  smsEndpoint: undefined,
}
const aliyun: SmsInput = {
  ...nothing,
  sms: 'aliyun',
  smsKeyId: 'id',
  smsKeySecret: 'secret',
  smsSignName: '归港',
  smsTemplate: 'SMS_1234',
}
const tencent: SmsInput = { ...aliyun, sms: 'tencent', smsTemplate: '1234', smsAppId: '1400' }

describe('settleSms', () => {
  it('keeps messages in development and sends none in production', () => {
    expect(settleSms(nothing, 'development')).toEqual({ sms: { way: 'outbox' }, problems: [] })
    expect(settleSms(nothing, 'production')).toEqual({ sms: { way: 'off' }, problems: [] })
    expect(settleSms({ ...nothing, sms: 'off' }, 'development').sms).toEqual({ way: 'off' })
  })

  it('takes both vendors with their own addresses', () => {
    const shared = { keyId: 'id', keySecret: 'secret', signName: '归港' }
    expect(settleSms(aliyun, 'production')).toEqual({
      sms: {
        way: 'aliyun',
        ...shared,
        template: 'SMS_1234',
        endpoint: 'https://dysmsapi.aliyuncs.com',
      },
      problems: [],
    })
    expect(settleSms(tencent, 'production')).toEqual({
      sms: {
        way: 'tencent',
        ...shared,
        template: '1234',
        appId: '1400',
        region: 'ap-guangzhou',
        endpoint: 'https://sms.tencentcloudapi.com',
      },
      problems: [],
    })
  })

  it('refuses the outbox in production', () => {
    const { problems } = settleSms({ ...nothing, sms: 'outbox' }, 'production')
    expect(problems).toEqual([expect.stringContaining('HOMEPORT_SMS=outbox')])
  })

  it('names everything that is missing at once', () => {
    expect(settleSms({ ...nothing, sms: 'tencent' }, 'production').problems).toEqual([
      'HOMEPORT_SMS=tencent needs HOMEPORT_SMS_KEY_ID',
      'HOMEPORT_SMS=tencent needs HOMEPORT_SMS_KEY_SECRET',
      'HOMEPORT_SMS=tencent needs HOMEPORT_SMS_SIGN_NAME',
      'HOMEPORT_SMS=tencent needs HOMEPORT_SMS_TEMPLATE',
      'HOMEPORT_SMS=tencent needs HOMEPORT_SMS_APP_ID',
    ])
  })

  it.each([
    [{ ...aliyun, smsTemplate: '1234' }, 'HOMEPORT_SMS_TEMPLATE'],
    [{ ...tencent, smsTemplate: 'SMS_1' }, 'HOMEPORT_SMS_TEMPLATE'],
    [{ ...tencent, smsAppId: 'abc' }, 'HOMEPORT_SMS_APP_ID'],
    [{ ...aliyun, smsEndpoint: 'http://sms.example' }, 'HOMEPORT_SMS_ENDPOINT'],
    [{ ...aliyun, sms: undefined }, 'without HOMEPORT_SMS'],
  ] satisfies [SmsInput, string][])('refuses what cannot be meant', (input, words) => {
    expect(settleSms(input, 'production').problems).toEqual([expect.stringContaining(words)])
  })

  it('lets a test stand in for the vendor on this machine', () => {
    const { sms, problems } = settleSms(
      { ...aliyun, smsEndpoint: 'http://127.0.0.1:9999/' },
      'development',
    )
    expect([sms, problems]).toMatchObject([{ endpoint: 'http://127.0.0.1:9999' }, []])
  })
})
