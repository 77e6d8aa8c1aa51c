import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '..')

/** Product files of the server that match. */
async function findFiles(pattern: RegExp): Promise<string[]> {
  const names = await readdir(root, { recursive: true })
  const products = names.filter(
    name => /\.ts$/.test(name) && !/(test|testing|testing-authenticator)\.ts$/.test(name),
  )
  const found = await Promise.all(
    products.map(async name => {
      const text = await readFile(path.join(root, name), 'utf8')
      return pattern.test(text) ? [name.replaceAll(path.sep, '/')] : []
    }),
  )
  return found.flat().sort()
}

// A way in that is added later belongs behind the door: only it asks for the second factor.
it('only the door begins sessions and gives them to browsers', async () => {
  expect(await findFiles(/\bsessions\s*\.\s*start\b|\.startSession\b/)).toEqual(['sign-in/door.ts'])
  expect(await findFiles(/\binsertSession\b/)).toEqual([
    'accounts/session-store.ts',
    'accounts/sessions.ts',
  ])
  expect(await findFiles(/\bstart\b[^\n]*[}:=] (await )?(\w+\.)*sessions\b/)).toEqual([])
})

// The door's own type names it; beside that only a passkey, which requires user verification, claims it.
it('only passkeys enter as having shown both factors', async () => {
  expect(await findFiles(/factors: 'both'/)).toEqual([
    'second-factor/passkey-routes.ts',
    'sign-in/door.ts',
  ])
})
