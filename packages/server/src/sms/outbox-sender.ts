import { brand, type SmsScene } from '@homeport/contract'
import type { Outbox } from '../messages/outbox.ts'
import type { SmsSender } from './sender.ts'

const purposes: Record<SmsScene, string> = {
  login: '登录',
  bind: '绑定手机号',
  rebind: '更换手机号',
  reset: '重置密码',
  confirm: '身份确认',
}

/** Puts messages into the outbox of development. */
export const createOutboxSender = (outbox: Outbox): SmsSender => ({
  async send({ phone, code, scene }) {
    const subject = `${purposes[scene]}验证码`
    const text = `【${brand}】验证码 ${code}，用于${purposes[scene]}，5 分钟内有效。请勿告诉任何人。`
    outbox.add({ kind: 'sms', to: phone, subject, text, code })
  },
})
