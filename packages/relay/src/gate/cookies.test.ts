import { describe, expect, it } from 'vitest'
import { readCookies, writeCookie } from './cookies.ts'

describe('cookies', () => {
  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ['', []],
    ['a=1', ['1']],
    ['b=2; a=1; a=3', ['1', '3']],
    [' a = 1 ;a', ['1']],
    ['xa=1; A=2', []],
    ['a=b=c', ['b=c']],
    ['a=1; a=2; a=3; a=4; a=5', ['1', '2', '3', '4', '5']],
    ['a=1;'.repeat(100), Array.from({ length: 32 }, () => '1')],
  ])('are read from %j', (header, values) => {
    expect(readCookies(header, 'a')).toEqual(values)
  })

  it('are written for one host, and Secure on https', () => {
    expect(writeCookie('a', 'b', { secure: false, maxAgeSeconds: 5 })).toBe(
      'a=b; Path=/; Max-Age=5; HttpOnly; SameSite=Lax',
    )
    expect(writeCookie('a', 'b', { secure: true, maxAgeSeconds: 5 })).toMatch(/; Secure$/)
  })
})
