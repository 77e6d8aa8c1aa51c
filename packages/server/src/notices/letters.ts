import { brand, describeBrowser, leavingDays } from '@homeport/contract'
import { describePlace } from '../accounts/places.ts'
import type { Language } from '../http/language.ts'
import type { RequestPlace } from '../http/request-facts.ts'
import type { Letter } from '../mail/smtp.ts'

/** A subject, and what happened as a sentence. */
type Words = readonly [subject: string, sentence: string]

const notices = {
  password_changed: {
    zh: ['密码已修改', '登录密码已修改，其他登录已全部退出。'],
    en: ['Password changed', 'The password was changed; every other sign-in has ended.'],
  },
  password_reset: {
    zh: ['密码已重置', '登录密码已重置，所有登录已退出。'],
    en: ['Password reset', 'The password was reset; every sign-in has ended.'],
  },
  second_factor_on: {
    zh: ['两步验证已开启', '两步验证已开启，其他登录已全部退出。'],
    en: [
      'Two-step codes turned on',
      'Two-step codes were turned on; every other sign-in has ended.',
    ],
  },
  second_factor_off: {
    zh: ['两步验证已关闭', '两步验证已关闭，登录时不再需要动态码。'],
    en: [
      'Two-step codes turned off',
      'Two-step codes were turned off; signing in needs none any more.',
    ],
  },
  recovery_codes_renewed: {
    zh: ['恢复码已更换', '恢复码已换成新的一组，旧的不再有效。'],
    en: ['Recovery codes replaced', 'There are new recovery codes; the old ones are void.'],
  },
  passkey_added: {
    zh: ['已添加通行密钥', '添加了一个通行密钥，可以用它直接登录。'],
    en: ['Passkey added', 'A passkey was added; it signs in by itself.'],
  },
  passkey_removed: {
    zh: ['已移除通行密钥', '移除了一个通行密钥，不能再用它登录。'],
    en: ['Passkey removed', 'A passkey was removed; it no longer signs in.'],
  },
  email_change_begun: {
    zh: ['正在更换邮箱', '申请换成另一个邮箱，新邮箱确认后生效。'],
    en: [
      'E-mail address about to change',
      'Another e-mail address was asked for; it counts once it is confirmed.',
    ],
  },
  email_changed: {
    zh: ['邮箱已更换', '邮箱已换成另一个，这个邮箱不能再用来登录和重置密码。'],
    en: [
      'E-mail address changed',
      'There is another e-mail address; this one no longer signs in or resets the password.',
    ],
  },
  email_removed: {
    zh: ['邮箱已移除', '这个邮箱已从账号移除，不能再用来登录和重置密码。'],
    en: [
      'E-mail address removed',
      'This e-mail address was taken off the account; it no longer signs in or resets the password.',
    ],
  },
  phone_bound: {
    zh: ['已绑定手机号', '绑定了手机号，可以用它登录和重置密码。'],
    en: ['Phone number added', 'A phone number was added; it signs in and resets the password.'],
  },
  phone_changed: {
    zh: ['手机号已更换', '绑定的手机号已更换，原来的号码不能再用来登录。'],
    en: ['Phone number changed', 'The phone number was changed; the old one no longer signs in.'],
  },
  identity_linked: {
    zh: ['已绑定第三方账号', '绑定了一个第三方账号，可以用它登录。'],
    en: ['Another way to sign in', 'An account of another service was linked; it signs in.'],
  },
  identity_unlinked: {
    zh: ['已解绑第三方账号', '解绑了一个第三方账号，不能再用它登录。'],
    en: [
      'A way to sign in removed',
      'An account of another service was unlinked; it no longer signs in.',
    ],
  },
  leaving_begun: {
    zh: ['账号正在注销', `账号已停用，${leavingDays} 天后删除。在那之前登录，可以恢复。`],
    en: [
      'Account about to be deleted',
      `The account is switched off and will be deleted in ${leavingDays} days. Signing in before then offers to restore it.`,
    ],
  },
  signed_in_elsewhere: {
    zh: ['新地点登录', '账号在一个新的网络登录。'],
    en: ['Sign-in from another place', 'The account was signed in to from another network.'],
  },
} as const satisfies Record<string, { zh: Words; en: Words }>

/** What owners are told of. */
export type NoticeKind = keyof typeof notices

/** What a notice says beside its kind. */
export interface NoticeFacts {
  username: string
  /** Epoch ms. */
  at: number
  /** Null for the operator. */
  place: RequestPlace | null
  /** Origin of the console. */
  consoleUrl: string
}

const chinaOffsetMs = 8 * 60 * 60 * 1000

const minutesOf = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

const networks = {
  loopback: { zh: '服务器本机', en: 'the server itself' },
  private: { zh: '内网', en: 'a private network' },
  public: { zh: '公网', en: 'the public network' },
} as const

/** Browser, system and network, from fixed words alone: nothing that a visitor wrote stands in a letter. */
function describeOrigin(place: RequestPlace | null, language: Language): string {
  if (place === null) return language === 'zh' ? '服务的管理员' : 'the operator of the service'
  const { address, network } = describePlace(place.address, '')
  const name = networks[network === 'same' ? 'public' : network][language]
  const browser =
    describeBrowser(place.userAgent) || (language === 'zh' ? '未知浏览器' : 'unknown browser')
  return language === 'zh'
    ? `${browser}，${name}（${address}）`
    : `${browser}, ${name} (${address})`
}

const writers: Record<Language, (sentence: string, facts: NoticeFacts) => string[]> = {
  zh: (sentence, { username, at, place, consoleUrl }) => [
    `您的账号 ${username}：${sentence}`,
    '',
    `时间：${minutesOf(at + chinaOffsetMs)}（北京时间）`,
    `来自：${describeOrigin(place, 'zh')}`,
    '',
    '如果是您本人操作，不用理会这封邮件。',
    `如果不是，请马上登录，修改密码并退出其他登录：${consoleUrl}/#/user/info`,
    '登录不了时，请用登录页的“忘记密码？”，或联系服务的管理员。',
  ],
  en: (sentence, { username, at, place, consoleUrl }) => [
    `Your account ${username}: ${sentence}`,
    '',
    `When: ${minutesOf(at)} UTC`,
    `From: ${describeOrigin(place, 'en')}`,
    '',
    'If this was you, there is nothing to do.',
    `If not, sign in at once, change the password and end the other sign-ins: ${consoleUrl}/#/user/info`,
    'If you cannot sign in, use "Forgot the password?" there, or ask the operator of the service.',
  ],
}

/** Tells somebody of a change that guards their account, and what to do about it. It holds no token. */
export function writeNotice(
  kind: NoticeKind,
  to: string,
  { language, ...facts }: NoticeFacts & { language: Language },
): Letter {
  const [subject, sentence] = notices[kind][language]
  return {
    to,
    subject: language === 'zh' ? `【${brand}】${subject}` : `${brand}: ${subject}`,
    text: `${writers[language](sentence, facts).join('\n')}\n`,
  }
}
