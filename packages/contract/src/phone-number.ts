import { z } from 'zod'

/** What is wrong with a telephone number: signs that no number has, no country, too short or long, no mobile number of the mainland. */
export const phoneProblems = [
  'phone_signs',
  'phone_country',
  'phone_length',
  'phone_mainland',
] as const

/** What is wrong with a telephone number. */
export type PhoneProblem = (typeof phoneProblems)[number]

/** A number as people type it, or what is wrong with it. */
export type PhoneReading = { ok: true; phone: string } | { ok: false; problem: PhoneProblem }

const mainlandMobile = /^1[3-9]\d{9}$/

/**
 * Reads a number as E.164 (`+` and at most 15 digits): spaces, dots, hyphens, brackets and wide digits do not count, `00` is `+`, and
 * eleven digits of a mainland mobile number need no country.
 */
export function readPhone(typed: string): PhoneReading {
  const plain = typed.normalize('NFKC').replace(/[\s().·\-‐-―]/g, '')
  if (!/^\+?\d+$/.test(plain)) return { ok: false, problem: 'phone_signs' }
  if (mainlandMobile.test(plain)) return { ok: true, phone: `+86${plain}` }
  const phone = plain.replace(/^00/, '+')
  if (!phone.startsWith('+') || phone.startsWith('+0')) {
    return { ok: false, problem: /^1\d*$/.test(plain) ? 'phone_mainland' : 'phone_country' }
  }
  if (phone.startsWith('+86') && !mainlandMobile.test(phone.slice(3))) {
    return { ok: false, problem: 'phone_mainland' }
  }
  if (!/^\+\d{7,15}$/.test(phone)) return { ok: false, problem: 'phone_length' }
  return { ok: true, phone }
}

/** A number as it may be shown to whoever looks over a shoulder: `+86 138****8000`. */
export function maskPhone(phone: string): string {
  if (phone.startsWith('+86')) return `+86 ${phone.slice(3, 6)}****${phone.slice(-4)}`
  const kept = Math.min(4, Math.floor((phone.length - 1) / 3))
  return `${phone.slice(0, kept + 1)}****${phone.slice(-kept)}`
}

/** A telephone number as typed; parsed to E.164. */
export const phoneSchema = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .transform((typed, context) => {
    const reading = readPhone(typed)
    if (reading.ok) return reading.phone
    context.addIssue({ code: 'custom', params: { code: reading.problem }, input: typed })
    return z.NEVER
  })
