import { expect, it } from 'vitest'
import { formatCountdown, formatExactInstant, formatRelative } from './instants.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const chinese = { language: 'zh-CN', justNow: '刚刚' }
const english = { language: 'en', justNow: 'just now' }
const before = (ms: number) => new Date(now - ms).toISOString()

it.each([
  [0, '刚刚'],
  [59_999, '刚刚'],
  [60_000, '1分钟前'],
  [89 * 60_000, '1小时前'],
  [23 * 3_600_000, '23小时前'],
  [86_400_000, '昨天'],
  [40 * 86_400_000, '上个月'],
  [800 * 86_400_000, '2年前'],
])('%d ms ago is %s', (ms, text) => {
  expect(formatRelative(before(ms), now, chinese)).toBe(text)
})

it('speaks English too', () => {
  expect(formatRelative(before(5 * 60_000), now, english)).toBe('5 minutes ago')
})

it('calls an instant of a fast clock just now', () => {
  expect(formatRelative(before(-30_000), now, english)).toBe('just now')
})

it('says how far off a future instant is', () => {
  expect(formatRelative(before(-9.5 * 86_400_000), now, english)).toBe('in 9 days')
})

it('counts down in minutes and seconds and stops at zero', () => {
  expect(formatCountdown(now + 600_000, now)).toBe('10:00')
  expect(formatCountdown(now + 59_001, now)).toBe('1:00')
  expect(formatCountdown(now + 8_500, now)).toBe('0:09')
  expect(formatCountdown(now - 1, now)).toBe('0:00')
})

it('shows the whole instant', () => {
  expect(formatExactInstant('2026-11-20T12:00:00.000Z', 'en')).toContain('2026')
})
