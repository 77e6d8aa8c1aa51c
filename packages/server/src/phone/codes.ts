import { createHmac, randomInt } from 'node:crypto'
import type { SmsScene } from '@homeport/contract'
import type { Kysely } from 'kysely'
import type { ServerContext } from '../context.ts'
import { countUse, type UseBounds, waitForUse } from '../db/counted-uses.ts'
import type { Database } from '../db/schema.ts'
import { attemptSingleUse, keepSingleUse, type SingleUse, takeSingleUse } from '../db/single-use.ts'
import { AppError } from '../http/app-error.ts'
import { isSameSecret } from '../http/csrf.ts'

/** A code lives this long in ms. */
export const codeMs = 5 * 60 * 1000

/** Tries of one code. */
const tryLimit = 5

/** The next message to a number goes this long in ms after the last. */
export const resendMs = 60 * 1000

/** Messages to one number in a day that anyone may ask for, and that its owner may. */
const dailyLimit = 10

const messageBounds: UseBounds = {
  pauseMs: resendMs,
  periodMs: 24 * 60 * 60 * 1000,
  most: dailyLimit,
}

/** What a code is bound to: it counts for this alone. */
export interface CodePlace {
  scene: SmsScene
  /** E.164. */
  phone: string
  /** The account that is signed in, or the browser that asked: nobody else can try, or use its tries up. */
  owner: string
}

/** Whose messages to a number count together: what strangers ask for leaves its owner, signed in, the own ones. */
export type MessageCount = 'anyone' | 'owner'

/** A code that was right, and is not used up yet. */
export interface CheckedCode {
  use: SingleUse
  hash: string
  /** The field that held it. */
  path: string
}

/** Codes of text messages. */
export interface SmsCodes {
  /** Throws `rate_limited` where the number has to wait. */
  requireRoom(phone: string, count: MessageCount): Promise<void>
  /** Counts the message and makes its code; the one before is void. Throws `rate_limited`. */
  issue(place: CodePlace, count: MessageCount): Promise<string>
  /** Passes where the code is right; each call is one of its five tries. Throws `sms_code_wrong` with the field `path`. */
  check(place: CodePlace, code: string, path?: string): Promise<CheckedCode>
  /** Uses a code up, inside the caller's transaction; throws `sms_code_wrong` for all but one of many callers. */
  spend(transaction: Kysely<Database>, code: CheckedCode): Promise<void>
  /** Forgets a code whose message did not go. */
  revoke(place: CodePlace): Promise<void>
}

/** Makes the codes of one database. */
export function createSmsCodes({
  db,
  clock,
  keys,
}: Pick<ServerContext, 'db' | 'clock' | 'keys'>): SmsCodes {
  const hmac = (...parts: string[]) =>
    createHmac('sha256', keys.sms).update(parts.join('\n')).digest('base64url')
  const keyOf = (phone: string, count: MessageCount) =>
    `sms ${hmac(count === 'owner' ? 'own phone' : 'phone', phone)}`
  const hashOf = ({ key }: SingleUse, code: string) => hmac('code', key, code)
  // The owner stands in the name, so that one's code takes no other's place.
  const useOf = ({ scene, phone, owner }: CodePlace): SingleUse => ({
    purpose: 'sms code',
    key: hmac('place', scene, phone, owner),
    binding: '',
  })

  const wait = (key: string) => waitForUse(db, key, messageBounds, clock.now())

  const refuse = (waitMs: number) =>
    new AppError('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) })

  return {
    async requireRoom(phone, count) {
      const waitMs = await wait(keyOf(phone, count))
      if (waitMs > 0) throw refuse(waitMs)
    },

    async issue(place, count) {
      const now = clock.now()
      const key = keyOf(place.phone, count)
      if (!(await countUse(db, key, messageBounds, now))) {
        throw refuse((await wait(key)) || resendMs)
      }
      const code = String(randomInt(1_000_000)).padStart(6, '0')
      const use = useOf(place)
      const value = hashOf(use, code)
      await keepSingleUse(db, { ...use, value, tries: tryLimit, expiresAt: now + codeMs })
      return code
    },

    async check(place, code, path = 'code') {
      const use = useOf(place)
      const kept = await attemptSingleUse(db, { ...use, now: clock.now() })
      const hash = hashOf(use, code)
      const isRight = isSameSecret(hash, kept?.value ?? '')
      if (!isRight) throw wrongCode(path)
      return { use, hash, path }
    },

    async spend(transaction, { use, hash, path }) {
      const taken = await takeSingleUse(transaction, { ...use, now: clock.now() })
      // Another one was sent meanwhile: the transaction ends, and that one stays.
      if (taken?.value !== hash) throw wrongCode(path)
    },

    async revoke(place) {
      await takeSingleUse(db, { ...useOf(place), now: clock.now() })
    },
  }
}

/** The same whether a code is wrong, over, used, or was never sent. */
export const wrongCode = (path = 'code') =>
  new AppError('sms_code_wrong', { errors: [{ path, code: 'invalid_value' }] })
