import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { quoteForPosix, quoteForWindows } from './shell-quote.ts'

describe('quoteForPosix', () => {
  it('leaves plain words alone', () => {
    expect(quoteForPosix('http://localhost:8080')).toBe('http://localhost:8080')
  })

  it('quotes everything else', () => {
    expect(quoteForPosix('my nas')).toBe("'my nas'")
    expect(quoteForPosix("Bob's")).toBe("'Bob'\\''s'")
    expect(quoteForPosix('')).toBe("''")
  })

  it
    .skipIf(process.platform === 'win32')
    .each([
      '$(touch pwned)',
      '`id`',
      "a'; rm -rf ~; '",
      'a"b\\c$HOME!',
      '我的 NAS',
      '*',
      '~',
      '-n',
      '#no comment',
    ])('a real shell reads %s back unchanged', word => {
    const printed = execFileSync('/bin/sh', ['-c', `printf %s ${quoteForPosix(word)}`])
    expect(printed.toString()).toBe(word)
  })

  it('drops what would start a new command', () => {
    expect(quoteForPosix('nas\nreboot\r\u001b')).toBe('nasreboot')
  })
})

describe('quoteForWindows', () => {
  it('quotes spaces and letters of any language', () => {
    expect(quoteForWindows('nas')).toBe('nas')
    expect(quoteForWindows('我的 NAS')).toBe('"我的 NAS"')
    expect(quoteForWindows('http://[::1]:8080')).toBe('"http://[::1]:8080"')
  })

  it.each(['a"b', '$env:x', '%PATH%', 'a&b', '`n', "it's", 'a;b', 'a|b', 'a\nb', 'a^b'])(
    'refuses %j',
    word => {
      expect(quoteForWindows(word)).toBeNull()
    },
  )
})
