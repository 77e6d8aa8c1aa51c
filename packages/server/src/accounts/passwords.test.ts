import { expect, it } from 'vitest'
import { AppError } from '../http/app-error.ts'
import { createPasswords, type PasswordEngine } from './passwords.ts'

/** An engine whose work ends when the test says so. */
function createHeldEngine() {
  const held: (() => void)[] = []
  let isHolding = false
  const wait = () =>
    isHolding ? new Promise<void>(resolve => held.push(resolve)) : Promise.resolve()
  const engine: PasswordEngine = {
    hash: async password => {
      await wait()
      return `hash of ${password}`
    },
    verify: async (hash, password) => {
      await wait()
      return hash === `hash of ${password}`
    },
  }
  return {
    engine,
    held,
    hold() {
      isHolding = true
    },
    async releaseAll() {
      isHolding = false
      for (const release of held.splice(0)) release()
    },
  }
}

it('computes two at once, lets 32 wait, and refuses the next', async () => {
  const source = createHeldEngine()
  const passwords = await createPasswords(source.engine)
  source.hold()
  const accepted = Array.from({ length: 34 }, (_, n) => passwords.hash(`p${n}`))
  await Promise.resolve()
  expect(source.held).toHaveLength(2)
  const refused = await passwords.hash('one more').catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(AppError)
  expect((refused as AppError).code).toBe('busy')
  await source.releaseAll()
  expect(await Promise.all(accepted)).toHaveLength(34)
  expect(await passwords.hash('later')).toBe('hash of later')
})

it('goes on after a fault of the engine', async () => {
  let fails = false
  const passwords = await createPasswords({
    hash: async password => {
      if (fails) throw new Error('out of memory')
      return password
    },
    verify: async () => true,
  })
  fails = true
  for (let n = 0; n < 5; n += 1) await expect(passwords.hash('x')).rejects.toThrow('out of memory')
  fails = false
  expect(await passwords.hash('x')).toBe('x')
})

it('makes Argon2id with 19 MiB, two passes and one lane', async () => {
  const passwords = await createPasswords()
  const hash = await passwords.hash('long enough pass')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await passwords.verify(hash, 'long enough pass')).toBe(true)
  expect(await passwords.verify(hash, 'another pass')).toBe(false)
})

it('does the work for an account that does not exist, and is never right', async () => {
  const verified: string[] = []
  const passwords = await createPasswords({
    hash: async () => 'hash of nobody',
    verify: async hash => {
      verified.push(hash)
      return true
    },
  })
  expect(await passwords.verify(null, 'anything')).toBe(false)
  expect(verified).toEqual(['hash of nobody'])
})

it('takes the same characters in another composition', async () => {
  const passwords = await createPasswords()
  const hash = await passwords.hash('caf\u00e9 au lait')
  expect(await passwords.verify(hash, 'cafe\u0301 au lait')).toBe(true)
})
