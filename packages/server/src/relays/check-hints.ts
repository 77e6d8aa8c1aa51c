import type { Language } from '../http/language.ts'

type Sentences = Record<Language, string>

/** What to do about a step that the server itself found wrong. */
const ownHints: Record<string, Sentences> = {
  dns_missing: {
    zh: '域名没有解析到任何地址。请联系管理员检查泛域名解析（*）。',
    en: 'The name has no address. Ask the administrator to check the wildcard DNS record.',
  },
  dns_silent: {
    zh: '域名服务器没有回应，请稍后重试。',
    en: 'The name server does not answer; try again later.',
  },
  relay_unavailable: {
    zh: '线路没有连接或没有回应。请稍后重试，或联系管理员。',
    en: 'No relay is connected or answers. Try again later, or ask the administrator.',
  },
  record_disabled: {
    zh: '这个外网域名已停用。请先启用它。',
    en: 'This record is switched off. Switch it on first.',
  },
  device_paused: {
    zh: '这台设备已暂停。请先恢复它。',
    en: 'This device is paused. Wake it first.',
  },
  device_offline: {
    zh: '设备没有连接。请检查它的电源、网络和归港程序。',
    en: 'The device is not connected. Check its power, its network and the Homeport program.',
  },
}

/** English for the codes a relay tells; its own hints are Chinese. */
const relayHints: Record<string, string> = {
  flow_timeout: 'The device does not answer. Check its network, or restart the Homeport program.',
  link_lost: 'The connection to the device has just broken; try again in a moment.',
  link_silent: 'The device does not answer. Check its network.',
  target_refused: 'The service at home refused the connection. Is it running, is the port right?',
  target_unreachable:
    'The device finds no way to the target. Check the address; both must be on one network.',
  target_timeout: 'The target does not answer. Is it on, and does no firewall stand in the way?',
  target_not_allowed: 'The device does not allow this address. Add it to its allow-list.',
  target_tls_failed:
    'The encrypted connection failed. Switch certificate checks off, or should it be http?',
  target_dns_failed: 'The device cannot resolve the name of the target. Use its IP address.',
  target_invalid: 'The target is not a valid address.',
  bad_response: 'The target answers, but not in HTTP. Check scheme and port.',
  target_silent: 'The target took the connection and then said nothing.',
  target_failed: 'The target closed the connection without an answer.',
}

const generic = 'This step failed; try again later.'

/** The sentence for a step that failed; `told` is what a relay said of it, in Chinese. */
export function hintFor(code: string, language: Language, told = ''): string {
  const own = ownHints[code]?.[language]
  if (own !== undefined) return own
  return language === 'zh' ? told : (relayHints[code] ?? generic)
}
