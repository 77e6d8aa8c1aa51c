import { describe, expect, it } from 'vitest'
import { seal } from './seal.ts'
import { type GateTicket, sealPass, sealTicket, unsealPass, unsealTicket } from './tokens.ts'

const key = Buffer.alloc(32, 1)
const now = 1_800_000_000_000
const ticket: GateTicket = {
  host: 'nas.localhost',
  record: 7,
  user: 3,
  session: 's',
  n: 'n',
  expiresAt: now + 1000,
}

describe('tickets and gate cookies', () => {
  it('come back as they were sealed', () => {
    expect(unsealTicket(key, sealTicket(key, ticket), now)).toEqual(ticket)
    const { n: _, ...pass } = ticket
    expect(unsealPass(key, sealPass(key, pass), now)).toEqual(pass)
  })

  it('expire to the millisecond', () => {
    const text = sealTicket(key, ticket)
    expect(unsealTicket(key, text, ticket.expiresAt - 1)).not.toBeNull()
    expect(unsealTicket(key, text, ticket.expiresAt)).toBeNull()
  })

  it('never stand in for one another', () => {
    expect(unsealPass(key, sealTicket(key, ticket), now)).toBeNull()
    expect(unsealTicket(key, sealPass(key, ticket), now)).toBeNull()
  })

  it('are worth nothing when forged, cut, stretched or of another key', () => {
    const text = sealTicket(key, ticket)
    const [payload = '', signature = ''] = text.split('.')
    const forged = Buffer.from(JSON.stringify({ ...ticket, user: 1 })).toString('base64url')
    for (const hostile of [
      '',
      '.',
      '..',
      payload,
      `${payload}.`,
      `.${signature}`,
      `${forged}.${signature}`,
      `${text}.`,
      `${text}.x`,
      text.slice(0, -2),
      `${text}${'A'.repeat(3000)}`,
      sealTicket(Buffer.alloc(32, 2), ticket),
    ]) {
      expect(unsealTicket(key, hostile, now)).toBeNull()
    }
  })

  it('must have the right shape even when the signature is right', () => {
    expect(unsealTicket(key, seal(key, 'gate-ticket', { host: 'x' }), now)).toBeNull()
  })
})
