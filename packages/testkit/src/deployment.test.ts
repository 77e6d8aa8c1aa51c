import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import {
  createClient,
  createRecord,
  csrfCookie,
  csrfHeader,
  getLoginStatus,
  listRouters,
  setUp,
  signToken,
} from '@homeport/contract'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { type Deployment, startDeployment } from './index.ts'

const given = process.env.HOMEPORT_TEST_DATABASE_URL ?? ''
const cleanUps: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function run(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: given })
  await client.connect()
  await client.query(statement)
  await client.end()
}

async function makeDatabase(): Promise<string> {
  const name = `testkit_${randomBytes(6).toString('hex')}`
  await run(`create database ${name}`)
  cleanUps.push(() => run(`drop database ${name}`))
  const url = new URL(given)
  url.pathname = `/${name}`
  return url.href
}

async function start(options: { databaseUrl?: string } = {}): Promise<Deployment> {
  const deployment = await startDeployment(options)
  cleanUps.push(deployment.stop)
  return deployment
}

function openClient(url: string) {
  const cookies = new Map<string, string>()
  return createClient({
    baseUrl: url,
    headers: () => ({ [csrfHeader]: cookies.get(csrfCookie) ?? '' }),
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('origin', url)
      headers.set('cookie', [...cookies].map(pair => pair.join('=')).join('; '))
      const response = await fetch(input, { ...init, headers })
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
        cookies.set(name, value)
      }
      return response
    },
  })
}

async function reachHome(deployment: Deployment): Promise<string> {
  const home = http.createServer((_, response) => response.end('at home')).listen(0, '127.0.0.1')
  cleanUps.push(async () => void home.close())
  await once(home, 'listening')
  const client = openClient(deployment.url)
  await client.call(getLoginStatus, {})
  const code = new URLSearchParams(deployment.setupLink.split('?')[1]).get('code') ?? ''
  await client.call(setUp, {
    body: { code, username: 'guanli', password: 'correct horse battery' },
  })
  const { token } = await client.call(signToken, {})
  await deployment.startAgent({ token, name: 'nas' })
  const { results } = await client.call(listRouters, { query: {} })
  const target = `http://127.0.0.1:${(home.address() as AddressInfo).port}`
  const record = await client.call(createRecord, {
    body: { router: results[0]?.id ?? 0, name: 'nas', target, access: ['public'] },
  })
  const { host, port } = new URL(record.url)
  const [response] = await once(
    http.get({ host: '127.0.0.1', port, headers: { host } }),
    'response',
  )
  return text(response)
}

describe('a whole deployment in one process', () => {
  it('reaches a page at home, on sqlite', async () => {
    expect(await reachHome(await start())).toBe('at home')
  })

  it.skipIf(given === '')('reaches a page at home, on postgres', async () => {
    expect(await reachHome(await start({ databaseUrl: await makeDatabase() }))).toBe('at home')
  })
})
