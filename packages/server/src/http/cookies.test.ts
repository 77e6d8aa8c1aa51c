import { describe, expect, it } from 'vitest'
import { expireTossed, readCookies } from './cookies.ts'

describe('readCookies', () => {
  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ['b=1', []],
    ['a=1; b=2; a=3; a=1', ['1', '3']],
    ['xa=1;a=2', ['2']],
  ])('reads %j', (header, values) => {
    expect(readCookies(header, 'a')).toEqual(values)
  })
})

describe('expireTossed', () => {
  it('names every parent and every path on the way, and never our own cookie', () => {
    const lines = expireTossed(['a'], { host: 'c.hp.example.com', path: '/api/x/' })
    const places = lines.map(line => line.replace('a=; Domain=', '').replace('; Max-Age=0', ''))
    expect(places).toEqual(
      ['/', '/api', '/api/', '/api/x', '/api/x/'].flatMap(path => [
        `hp.example.com; Path=${path}`,
        `example.com; Path=${path}`,
      ]),
    )
  })

  it.each(['localhost', '192.0.2.7', '[2001:db8::1]', 'console.test'])(
    'has nothing to say under %s, which has no parents that set cookies',
    host => {
      expect(expireTossed(['a'], { host, path: '/' })).toEqual([])
    },
  )

  it('writes nothing of a path that would not stay inside its attribute, and not too much', () => {
    const hostile = expireTossed(['a'], { host: 'c.hp.test', path: '/x; Secure/\r\n/' })
    expect(hostile).toEqual(['a=; Domain=hp.test; Path=/; Max-Age=0'])
    const long = expireTossed(['a', 'b'], { host: 'c.hp.test', path: '/a'.repeat(500) })
    expect(long).toHaveLength(48)
  })

  it('has nothing to do where no cookie was tossed', () => {
    expect(expireTossed([], { host: 'c.hp.test', path: '/' })).toEqual([])
  })
})
