import {
  type Client,
  createClient,
  createRecord,
  csrfCookie,
  csrfHeader,
  getLoginStatus,
  listRouters,
  login,
  type RecordRow,
  setUp,
  signToken,
} from '@homeport/contract'
import { vi } from 'vitest'
import type { Homeport, Program } from './processes.ts'

/** A signed-in user as a program: a typed client that keeps its cookies and sends the CSRF header. */
export interface Account {
  client: Client
  /** The cookies it holds now, as a header. */
  cookies(): string
}

/** A signed-out user agent of one deployment. */
export async function openAccount(url: string): Promise<Account> {
  const jar = new Map<string, string>()
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const keepingFetch: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', cookies())
    headers.set('origin', url)
    const response = await fetch(input, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  const client = createClient({
    baseUrl: url,
    fetch: keepingFetch,
    headers: () => ({ [csrfHeader]: jar.get(csrfCookie) ?? '' }),
  })
  await client.call(getLoginStatus, {})
  return { client, cookies }
}

export const administrator = { username: 'guanli', password: 'correct horse battery' }

/** Makes the administrator with the set-up link that the start printed. */
export async function setUpAdministrator(homeport: Homeport): Promise<Account> {
  const [, code = ''] = await homeport.waitFor(/#\/setup\?code=([A-Za-z0-9_-]+)/)
  const account = await openAccount(homeport.url)
  await account.client.call(setUp, { body: { code, ...administrator } })
  return account
}

/** Signs in by password. */
export async function signIn(homeport: Homeport, user = administrator): Promise<Account> {
  const account = await openAccount(homeport.url)
  await account.client.call(login, { body: { account: user.username, password: user.password } })
  return account
}

/** Pairs a new agent and waits until its device is online. */
export async function addDevice(
  homeport: Homeport,
  account: Account,
  name: string,
): Promise<{ id: number; agent: Program }> {
  const { token } = await account.client.call(signToken, {})
  const agent = homeport.startAgent(['--server', homeport.url, '--token', token, '--name', name])
  await agent.waitFor(/linked/)
  const id = await vi.waitFor(
    async () => {
      const page = await account.client.call(listRouters, { query: { search: name } })
      const device = page.results.find(row => row.status === 'online')
      if (device === undefined) throw new Error(`${name} is not online`)
      return device.id
    },
    { timeout: 5000, interval: 50 },
  )
  return { id, agent }
}

/** Publishes a target of a device. */
export const publish = (
  account: Account,
  router: number,
  record: { name: string; target: string; kind?: 'http' | 'tcp'; access?: ('owner' | 'public')[] },
): Promise<RecordRow> =>
  account.client.call(createRecord, { body: { router, access: ['public'], ...record } })
