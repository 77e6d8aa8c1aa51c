import { expect, it } from 'vitest'
import { readOnward } from './start.ts'

const read = (query: Record<string, string>) => readOnward(new URLSearchParams(query))

it('carries what the login page was asked for', () => {
  const asked = {
    url: 'http://nas.localhost/',
    n: 'n'.repeat(43),
    pairing: 'p',
    request: 'r'.repeat(22),
    confirm_email: 'c'.repeat(32),
    invite: 'i',
  }
  expect(read({ ...asked, invalidDomain: 'x.localhost' })).toEqual({
    ...asked,
    invalid_domain: 'x.localhost',
  })
})

it('leaves out what is empty, unknown, or would be refused', () => {
  expect(
    read({
      url: 'x'.repeat(2049),
      n: '',
      pairing: 'p'.repeat(65),
      request: '../evil',
      confirm_email: 'short',
      invalidDomain: 'x'.repeat(254),
      provider: 'oidc',
      accepted_terms_of_service: 'true',
    }),
  ).toEqual({})
})
