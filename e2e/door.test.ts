import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createGateTicket,
  createInvite,
  createRecord,
  patchRecord,
  signUp,
} from '@homeport/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type Account,
  addDevice,
  openAccount,
  publish,
  setUpAdministrator,
} from './support/account.ts'
import { type Homeport, startHomeport } from './support/processes.ts'
import { sendRaw, visit } from './support/visitor.ts'

const html = { accept: 'text/html,application/xhtml+xml' }
const home = createServer((request, response) =>
  response.end(`${request.method} ${request.url} ${request.headers.cookie ?? ''}`),
)

let homeport: Homeport
let owner: Account
let neighbour: Account
let secret: { id: number; url: string }
let open: { id: number; url: string }

beforeAll(async () => {
  home.listen(0, '127.0.0.1')
  await once(home, 'listening')
  const target = `http://127.0.0.1:${(home.address() as AddressInfo).port}`
  homeport = await startHomeport()
  owner = await setUpAdministrator(homeport)
  const { id } = await addDevice(homeport, owner, 'door')
  secret = await publish(owner, id, { name: 'secret', target, access: ['owner'] })
  open = await publish(owner, id, { name: 'open', target })
  const invite = await owner.client.call(createInvite, { body: {} })
  neighbour = await openAccount(homeport.url)
  await neighbour.client.call(signUp, {
    body: {
      username: 'linju',
      password: 'another long password',
      invite: new URL(invite.url.replace('/#', '')).searchParams.get('invite') ?? '',
      accepted_terms_of_service: true,
    },
  })
})

afterAll(async () => {
  await homeport?.dispose()
  home.close()
})

/** The browser's half of the way round: a nonce cookie from the name, and its hash. */
async function knock(url = secret.url) {
  const answer = await visit(url, { headers: html })
  const cookie = String(answer.headers['set-cookie']?.[0]).split(';')[0] ?? ''
  const query = new URLSearchParams(String(answer.headers.location).split('?')[1])
  return { status: answer.status, cookie, n: query.get('n') ?? '', url: query.get('url') ?? '' }
}

const ask = (account: Account, url: string, n: string) =>
  account.client.call(createGateTicket, { body: { url, n } })

describe('the gate of a name that is for its owner', () => {
  it('leads a page load to the console with the address and the hash of a nonce', async () => {
    const { status, cookie, n, url } = await knock()
    expect(status).toBe(302)
    expect(url).toBe(`${secret.url}/`)
    expect(
      createHash('sha256')
        .update(cookie.split('=')[1] ?? '')
        .digest('base64url'),
    ).toBe(n)
  })

  it('answers 401 with a problem to everything that is no page load', async () => {
    for (const options of [
      {},
      { method: 'POST', headers: html },
      { headers: { accept: 'application/json' } },
    ]) {
      const answer = await visit(secret.url, options)
      expect([answer.status, answer.headers['content-type']]).toEqual([
        401,
        'application/problem+json',
      ])
    }
  })

  it('lets the owner through with a ticket, once round, to the clean address', async () => {
    const { cookie, n } = await knock()
    const { location } = await ask(owner, `${secret.url}/a?b=1&c=%2F#d`, n)
    const { pathname, search } = new URL(location)
    const entry = await visit(secret.url + pathname + search, { headers: { ...html, cookie } })
    expect([entry.status, entry.headers.location]).toEqual([303, `${secret.url}/a?b=1&c=%2F`])
    expect(entry.headers['cache-control']).toBe('no-store')
    expect(entry.headers['referrer-policy']).toBe('no-referrer')
    const pass = String(entry.headers['set-cookie']?.find(line => line.includes('hp_gate'))).split(
      ';',
    )[0]
    const page = await visit(`${secret.url}/a?b=1`, { headers: { cookie: `${pass}; own=1` } })
    expect(page.body.toString()).toBe('GET /a?b=1 own=1')
  })

  it('shows "cookies blocked" for a ticket without its cookie, never a second redirect', async () => {
    const { n } = await knock()
    const { location } = await ask(owner, `${secret.url}/`, n)
    const { pathname, search } = new URL(location)
    for (const cookie of [
      '',
      'hp_nonce=other',
      `hp_nonce=${randomBytes(16).toString('base64url')}`,
    ]) {
      const answer = await visit(secret.url + pathname + search, { headers: { ...html, cookie } })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.headers.location).toBeUndefined()
      expect(answer.body.toString()).toContain('cookies_blocked')
    }
  })

  it('refuses the neighbour, and sends nobody to an address that is not ours', async () => {
    const { n } = await knock()
    await expect(ask(neighbour, `${secret.url}/`, n)).rejects.toMatchObject({ code: 'gate_denied' })
    for (const url of [
      'https://evil.example/',
      '//evil.example/',
      'javascript:alert(1)',
      `http://secret.localhost:${homeport.port}@evil.example/`,
      `http://good@secret.localhost:${homeport.port}/`,
      `http://secret.localhost:${homeport.port + 1}/`,
      `https://secret.localhost:${homeport.port}/`,
      `http://secret.localhost.evil.example:${homeport.port}/`,
      `http:\\\\secret.localhost:${homeport.port}\\@evil.example`,
    ]) {
      await expect(ask(owner, url, n), url).rejects.toMatchObject({ code: 'url_unknown' })
    }
  })

  it('does not take the ticket of one name on another', async () => {
    const { cookie, n } = await knock()
    const { location } = await ask(owner, `${secret.url}/`, n)
    const ticket = new URL(location).search
    const answer = await visit(`${open.url}/${ticket}`, { headers: { ...html, cookie } })
    expect(answer.body.toString()).not.toContain('__hp_ticket')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('closes within a second when the record is switched off, and opens again', async () => {
    const change = (enabled: boolean) =>
      owner.client.call(patchRecord, { params: { id: open.id }, body: { enabled } })
    expect((await visit(open.url)).status).toBe(200)
    await change(false)
    await vi.waitFor(async () => expect((await visit(open.url)).status).toBe(404), {
      timeout: 1000,
    })
    await change(true)
    await vi.waitFor(async () => expect((await visit(open.url)).status).toBe(200), {
      timeout: 1000,
    })
  })
})

describe('names that lead nowhere', () => {
  it('lead a page load to the console, without the port', async () => {
    const answer = await visit(`http://nobody.localhost:${homeport.port}/x`, { headers: html })
    expect([answer.status, answer.headers.location]).toEqual([
      302,
      `${homeport.url}/#/login?invalidDomain=nobody.localhost`,
    ])
  })

  it('answer 404 to programs', async () => {
    const answer = await visit(`http://nobody.localhost:${homeport.port}/x`)
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body.toString()).code).toBe('unknown_name')
  })
})

describe('malformed HTTP at the door', () => {
  const host = () => new URL(open.url).host
  it.each([
    [
      'both lengths',
      h =>
        `POST / HTTP/1.1\r\nHost: ${h}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two lengths',
      h => `POST / HTTP/1.1\r\nHost: ${h}\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
    ],
    ['a bare LF', h => `GET / HTTP/1.1\nHost: ${h}\n\n`],
    ['a folded line', h => `GET / HTTP/1.1\r\nHost: ${h}\r\nX-A: b\r\n c\r\n\r\n`],
    ['a space before the colon', h => `GET / HTTP/1.1\r\nHost: ${h}\r\nX-A : b\r\n\r\n`],
    ['no host', () => 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', h => `GET / HTTP/1.1\r\nHost: ${h}\r\nHost: evil.example\r\n\r\n`],
    ['another authority than Host', h => `GET http://evil.example/ HTTP/1.1\r\nHost: ${h}\r\n\r\n`],
    [
      'an encoding other than chunked',
      h => `POST / HTTP/1.1\r\nHost: ${h}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a length with a sign',
      h => `POST / HTTP/1.1\r\nHost: ${h}\r\nContent-Length: +4\r\n\r\nabcd`,
    ],
    [
      'a chunk size with a prefix',
      h =>
        `POST / HTTP/1.1\r\nHost: ${h}\r\nTransfer-Encoding: chunked\r\n\r\n0x4\r\nabcd\r\n0\r\n\r\n`,
    ],
    ['a zero byte', h => `GET / HTTP/1.1\r\nHost: ${h}\r\nX-A: \0\r\n\r\n`],
    ['no HTTP at all', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ] as [string, (host: string) => string][])(
    '%s: 400 and a closed connection',
    async (_, bytes) => {
      const answer = await sendRaw(homeport.port, bytes(host()))
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    },
  )

  it('CONNECT and upgrades to anything but websocket are refused', async () => {
    expect(
      await sendRaw(homeport.port, `CONNECT ${host()} HTTP/1.1\r\nHost: ${host()}\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 4\d\d /)
    const upgrade = `GET / HTTP/1.1\r\nHost: ${host()}\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n\r\n`
    expect(await sendRaw(homeport.port, upgrade)).toMatch(/^HTTP\/1\.1 4\d\d /)
  })

  it('what is pipelined behind a request for another name is gated anew', async () => {
    const second = new URL(secret.url).host
    const answer = await sendRaw(
      homeport.port,
      `GET /first HTTP/1.1\r\nHost: ${host()}\r\n\r\nGET /second HTTP/1.1\r\nHost: ${second}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401'])
    expect(answer).toContain('GET /first')
    expect(answer).not.toContain('GET /second')
  })
})

describe('bad input to the API', () => {
  it('is answered with every problem at once and stable codes', async () => {
    const body = { router: 'x', name: 'WWW', kind: 'ftp', target: 'nas', access: ['everybody'] }
    const error = await owner.client.call(createRecord, { body: body as never }).then(
      () => expect.unreachable(),
      reason => reason,
    )
    expect(error.code).toBe('invalid_input')
    expect(error.errors.map((problem: { path: string }) => problem.path).sort()).toEqual([
      'access.0',
      'kind',
      'name',
      'router',
      'target',
    ])
  })
})
