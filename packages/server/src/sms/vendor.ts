import type { Clock } from '@homeport/runtime'
import { SmsError, type SmsFailure } from './sender.ts'

/** A vendor that has not answered after this long in ms is given up; whether the message goes is then unknown. */
const vendorTimeoutMs = 5_000

/** Characters of an answer that are read. */
const answerLimit = 64 * 1024

/** A request to a vendor, signed. */
export interface VendorRequest {
  url: string
  headers: Record<string, string>
  body?: string
}

/** What a vendor is asked with. */
export interface VendorParts {
  clock: Pick<Clock, 'now' | 'setTimeout'>
  fetch: typeof fetch
}

/** Posts a request and gives the JSON of its answer, whatever its status; throws SmsError `unreachable`. */
export async function askVendor(
  { clock, fetch }: VendorParts,
  { url, headers, body }: VendorRequest,
): Promise<unknown> {
  const ending = new AbortController()
  const timer = clock.setTimeout(() => ending.abort(), vendorTimeoutMs)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      redirect: 'error',
      signal: ending.signal,
      ...(body === undefined ? {} : { body }),
    })
    const text = await answer.text()
    if (text.length > answerLimit) throw new Error('the answer is too long')
    return JSON.parse(text)
  } catch (cause) {
    const why = ending.signal.aborted ? 'did not answer in time' : 'gave no readable answer'
    throw new SmsError('unreachable', `the vendor of text messages ${why}`, { cause })
  } finally {
    timer.cancel()
  }
}

/** The text at a path of an answer; empty where there is none. */
export function readText(answer: unknown, ...path: (string | number)[]): string {
  const found = path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : null,
    answer,
  )
  return typeof found === 'string' ? found : ''
}

/** Throws what a vendor's code means, unless it is the one of success. */
export function judgeCode(code: string, success: string, throttled: RegExp): void {
  if (code === success) return
  const failure: SmsFailure = throttled.test(code) ? 'throttled' : 'refused'
  // Codes are short names; anything else is not repeated.
  const name = /^[\w.-]{1,100}$/.test(code) ? code : 'an unknown code'
  throw new SmsError(failure, `the vendor of text messages answered ${name}`)
}
