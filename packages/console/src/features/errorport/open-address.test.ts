import { describe, expect, it } from 'vitest'
import { openAddress } from './open-address.ts'

describe('openAddress', () => {
  it('is the address of a name of this deployment', () => {
    expect(openAddress('nas.localhost', 'http://*.localhost:8080')).toBe(
      'http://nas.localhost:8080',
    )
  })

  it.each([
    'evil.example',
    'nas.localhost@evil.example',
    'nas.localhost/../x',
    '',
    'nas.sub.localhost',
  ])('is nothing for "%s"', domain => {
    expect(openAddress(domain, 'http://*.localhost:8080')).toBeUndefined()
  })
})
