import { systemClock } from '@homeport/runtime'
import { expect, it } from 'vitest'
import { lookUpName } from './name-lookup.ts'

it('finds every name under localhost without asking anybody', async () => {
  expect(await lookUpName('nas.localhost', systemClock)).toBe('found')
  expect(await lookUpName('localhost', systemClock)).toBe('found')
})

it('finds what the system resolves', async () => {
  expect(await lookUpName('127.0.0.1', systemClock)).toBe('found')
})

it('never finds a name that cannot exist (RFC 6761 section 6.4)', async () => {
  expect(['missing', 'silent']).toContain(await lookUpName('nas.invalid', systemClock))
})

it('gives up on a resolver that is silent', async () => {
  const hasty = {
    ...systemClock,
    setTimeout(run: () => void) {
      run()
      return { cancel: () => {} }
    },
  }
  expect(await lookUpName('nas.invalid', hasty)).toBe('silent')
})
