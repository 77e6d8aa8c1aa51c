import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readSignedToken, signEnrolment, signedTokenLifetimeMs } from './signed-token.ts'

const key = randomBytes(32)
const now = 1_800_000_000_000
const made = () => signEnrolment(key, { user: 7, fingerprint: 'f', now })

describe('signed token', () => {
  it('says whose it is until it expires', () => {
    const { text, expiresAt } = made()
    expect(expiresAt).toBe(now + signedTokenLifetimeMs)
    expect(readSignedToken(key, text, expiresAt - 1)).toMatchObject({ user: 7, fingerprint: 'f' })
    expect(readSignedToken(key, text, expiresAt)).toBeNull()
  })

  it('has its own id each time and no character that a shell or a URL reads', () => {
    const [first, second] = [made().text, made().text]
    expect(first).not.toBe(second)
    expect(first).toMatch(/^hps1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/)
  })

  it('refuses another key', () => {
    expect(readSignedToken(randomBytes(32), made().text, now)).toBeNull()
  })

  it.each([
    ['nothing', () => ''],
    ['the prefix alone', () => 'hps1.'],
    ['no signature', (text: string) => text.slice(0, text.lastIndexOf('.'))],
    ['an empty signature', (text: string) => text.slice(0, text.lastIndexOf('.') + 1)],
    ['a cut signature', (text: string) => text.slice(0, -2)],
    ['one part more', (text: string) => `${text}.x`],
    ['another prefix', (text: string) => text.replace('hps1', 'hps2')],
    [
      'another payload',
      (text: string) => {
        const payload = Buffer.from('{"user":1}').toString('base64url')
        return text.replace(/\.[^.]+\./, `.${payload}.`)
      },
    ],
  ])('refuses %s', (_, change) => {
    expect(readSignedToken(key, change(made().text), now)).toBeNull()
  })
})
