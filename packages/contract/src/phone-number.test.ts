import { describe, expect, it } from 'vitest'
import { maskPhone, phoneSchema, readPhone } from './phone-number.ts'

describe('readPhone', () => {
  it.each([
    ['13800138000', '+8613800138000'],
    ['138 0013 8000', '+8613800138000'],
    ['138-0013-8000', '+8613800138000'],
    ['１３８００１３８０００', '+8613800138000'],
    ['+86 138 0013 8000', '+8613800138000'],
    ['＋８６ 13800138000', '+8613800138000'],
    ['0086 13800138000', '+8613800138000'],
    ['+1 (415) 555-2671', '+14155552671'],
    ['+44 20 7183 8750', '+442071838750'],
    ['+852 5123 4567', '+85251234567'],
    ['+6831234', '+6831234'],
    ['+123456789012345', '+123456789012345'],
  ])('takes %s', (typed, phone) => {
    expect(readPhone(typed)).toEqual({ ok: true, phone })
    expect(phoneSchema.parse(typed)).toBe(phone)
    // What was read once reads the same again.
    expect(readPhone(phone)).toEqual({ ok: true, phone })
  })

  it.each([
    ['hello', 'phone_signs'],
    ['138001380OO', 'phone_signs'],
    ['+86+13800138000', 'phone_signs'],
    ['13800138000;13900139000', 'phone_signs'],
    ['+', 'phone_signs'],
    ['51234567', 'phone_country'],
    ['+013800138000', 'phone_country'],
    ['1380013800', 'phone_mainland'],
    ['138001380001', 'phone_mainland'],
    ['12800138000', 'phone_mainland'],
    ['+86 010 6552 9988', 'phone_mainland'],
    ['+8612800138000', 'phone_mainland'],
    ['+852123', 'phone_length'],
    ['+1234567890123456', 'phone_length'],
  ])('refuses %s: %s', (typed, problem) => {
    expect(readPhone(typed)).toEqual({ ok: false, problem })
    const codes = phoneSchema.safeParse(typed).error?.issues.map(issue => issue.code)
    expect(codes).toEqual(['custom'])
  })
})

it.each([
  ['+8613800138000', '+86 138****8000'],
  ['+14155552671', '+141****671'],
  ['+6831234', '+68****34'],
  ['+442071838750', '+4420****8750'],
])('maskPhone hides the middle of %s', (phone, shown) => {
  expect(maskPhone(phone)).toBe(shown)
})
