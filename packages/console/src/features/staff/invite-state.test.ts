import { describe, expect, it } from 'vitest'
import { readInviteState } from './invite-state.ts'

const expires_at = '2026-01-02T00:00:00.000Z'
const invite = {
  id: 1,
  remark: '',
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at,
  used_at: null,
  used_by: null,
}

describe('readInviteState', () => {
  it('is expired from its last instant on', () => {
    expect(readInviteState(invite, Date.parse(expires_at) - 1)).toBe('open')
    expect(readInviteState(invite, Date.parse(expires_at))).toBe('expired')
  })

  it('stays used after its end', () => {
    const used = { ...invite, used_at: '2026-01-01T12:00:00.000Z', used_by: 'ann' }
    expect(readInviteState(used, Date.parse(expires_at) + 1)).toBe('used')
  })
})
