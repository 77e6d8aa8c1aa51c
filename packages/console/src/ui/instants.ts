import { readLanguage } from '../i18n/language.ts'

const units: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/**
 * "3 minutes ago" in the language of the page. What is under a minute away, and what a slow clock puts a little into the
 * future, is `justNow`, so that a row does not count seconds; the language's own word for it is "now", which follows no verb.
 */
export function formatRelative(
  instant: string,
  nowMs: number,
  { language, justNow }: { language: string; justNow: string },
): string {
  const differenceMs = Date.parse(instant) - nowMs
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  for (const [unit, unitMs] of units) {
    if (Math.abs(differenceMs) >= unitMs)
      return format.format(roundDown(differenceMs / unitMs), unit)
  }
  return justNow
}

/** An instant as date and minute in the visitor's time zone and language. */
export const formatInstant = (instant: string): string =>
  new Intl.DateTimeFormat(readLanguage(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  )

/** A whole instant for tooltips and facts, in the reader's own time zone. */
export const formatExactInstant = (instant: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    Date.parse(instant),
  )

/** What is left until an instant as `m:ss`; `0:00` once it has passed. */
export function formatCountdown(untilMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.ceil((untilMs - nowMs) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

// 89 minutes are "1 hour ago", not 2: a device was never seen earlier than it really was.
const roundDown = (value: number) => (value < 0 ? Math.ceil(value) : Math.floor(value))
