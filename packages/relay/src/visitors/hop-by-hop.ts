import type { Field } from './field-lines.ts'
import { isToken } from './field-lines.ts'
import { isIdentityName } from './identity-names.ts'
import { Refusal } from './refusal.ts'

/** What the `Connection` lines of a head say. */
export interface ConnectionOptions {
  readonly close: boolean
  readonly keepAlive: boolean
  /** Lower-case value of `Upgrade` where `Connection` names it. */
  readonly upgrade: string | null
  /** Other field names that end at this hop. */
  readonly names: readonly string[]
}

const none: ConnectionOptions = { close: false, keepAlive: false, upgrade: null, names: [] }
const closing: ConnectionOptions = { ...none, close: true }
const keeping: ConnectionOptions = { ...none, keepAlive: true }

/**
 * Fields that no message may declare its hop's own: an attacker would make the door drop what the target, the gate or the framing
 * relies on ("abusing hop-by-hop headers"). RFC 9110 §7.6.1: MUST NOT list a field intended for all recipients.
 */
const endToEnd = new Set(
  (
    'host content-length transfer-encoding content-type content-encoding content-range cookie set-cookie authorization ' +
    'proxy-authorization expect trailer range if-match if-none-match if-range origin referer location cache-control vary via date cdn-loop'
  ).split(' '),
)

/** Reads `Connection` (RFC 9110 §7.6.1); refuses one that names fields meant for everybody. */
export function parseConnection(fields: readonly Field[]): ConnectionOptions {
  let text: string | null = null
  let upgrade: string | null = null
  for (const { name, value } of fields) {
    if (name === 'connection') text = text === null ? value : `${text},${value}`
    else if (name === 'upgrade') upgrade = upgrade === null ? value : `${upgrade},${value}`
  }
  if (text === null) return none
  const options = text.toLowerCase()
  if (options === 'keep-alive') return keeping
  if (options === 'close') return closing
  return parseOptions(options, upgrade)
}

function parseOptions(options: string, upgrade: string | null): ConnectionOptions {
  const names: string[] = []
  for (const part of options.split(',')) {
    const name = part.replace(/^[ \t]+|[ \t]+$/g, '')
    if (name === '') continue
    if (!isToken(name) || endToEnd.has(name) || isIdentityName(name)) {
      throw new Refusal('bad_request', 'Connection names an end-to-end field')
    }
    names.push(name)
  }
  return {
    close: names.includes('close'),
    keepAlive: names.includes('keep-alive'),
    upgrade: names.includes('upgrade') ? (upgrade?.toLowerCase() ?? null) : null,
    names,
  }
}
