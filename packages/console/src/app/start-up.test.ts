import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { profileQuery } from '../features/sign-in/api/profile.ts'
import { settingsQuery } from '../features/site/api/settings.ts'
import { loadSharedData } from './start-up.ts'

const settings = {
  brand: '归港',
  version: '0.1.0',
  mode: 'development',
  billing: true,
  signup: 'off',
  sign_in: ['password'],
  password_reset: [],
  sso: { providers: [], logout_url: null },
  console_url: 'http://localhost:8080',
  tunnel_domain: 'localhost',
  record_url_pattern: 'http://*.localhost:8080',
  languages: ['zh-CN', 'en'],
  needs_setup: false,
}

describe('start-up', () => {
  const realFetch = globalThis.fetch
  const realError = console.error
  const logged: unknown[][] = []
  const queryClient = new QueryClient()

  beforeEach(() => {
    logged.length = 0
    console.error = (...args) => logged.push(args)
    Object.assign(globalThis, { document: { cookie: '' } })
  })
  afterEach(() => {
    globalThis.fetch = realFetch
    console.error = realError
    Reflect.deleteProperty(globalThis, 'document')
    queryClient.clear()
  })

  it('keeps what came and only logs what did not', async () => {
    globalThis.fetch = async input =>
      String(input).includes('settings')
        ? Response.json(settings)
        : Response.json({ nonsense: true }, { status: 500 })
    await loadSharedData(queryClient)
    expect(queryClient.getQueryData(settingsQuery.queryKey)).toEqual(settings)
    expect(logged).toHaveLength(2)
    // A profile that failed is unknown, which is not the same as signed out (null).
    expect(queryClient.getQueryData(profileQuery.queryKey)).toBeUndefined()
  })

  it('reads an empty list as signed out', async () => {
    globalThis.fetch = async () => Response.json([])
    await loadSharedData(queryClient)
    expect(queryClient.getQueryData(profileQuery.queryKey)).toBeNull()
  })
})
