import { randomBytes } from 'node:crypto'
import { sealPass } from '@homeport/contract/gate'
import { expect, it } from 'vitest'
import { createPassReader } from './pass-reader.ts'

const now = 1_800_000_000_000
const pass = { host: 'nas.localhost', record: 7, user: 1, session: 's1', expiresAt: now + 1000 }

it('reads a pass as often as it is shown, until it expires', () => {
  const key = randomBytes(32)
  const read = createPassReader(key)
  const text = sealPass(key, pass)
  expect(read(text, now)).toEqual(pass)
  expect(read(text, now + 999)).toEqual(pass)
  expect(read(text, now + 1000)).toBeNull()
  expect(read(text, now + 1001)).toBeNull()
})

it('takes no text for one that it has seen with another signature', () => {
  const key = randomBytes(32)
  const read = createPassReader(key)
  const text = sealPass(key, pass)
  expect(read(text, now)).not.toBeNull()
  const [payload, signature = ''] = text.split('.')
  const forged = `${payload}.${signature.replace(/^./, first => (first === 'A' ? 'B' : 'A'))}`
  expect(read(forged, now)).toBeNull()
  expect(read(sealPass(randomBytes(32), pass), now)).toBeNull()
})
