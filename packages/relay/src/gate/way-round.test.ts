import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { type GateTicket, sealTicket, ticketLifetimeMs } from '@homeport/contract/gate'
import { createLogger, systemClock } from '@homeport/runtime'
import { describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Answer, createBench, pageHeaders, serveHttp, until } from '../testing/bench.ts'

const cookieOf = (answer: Answer) => {
  const [pair = ''] = (answer.headers['set-cookie']?.[0] ?? '').split(';')
  return pair
}

/** A bench with an owner's record and its device linked. */
async function createOwnerBench(config: Parameters<typeof createBench>[0] = {}) {
  const bench = await createBench(config)
  bench.server.setRoute(bench.route({ access: ['owner'] }))
  await bench.link()

  /** Steps 1: a stranger's page load. */
  async function knock(path = '/films?a=1&b=%2F') {
    const answer = await bench.visit('nas.localhost', path, { headers: pageHeaders })
    const login = new URL((answer.headers.location ?? '').replace('/#/', '/'))
    return {
      answer,
      url: login.searchParams.get('url') ?? '',
      n: login.searchParams.get('n') ?? '',
      nonce: cookieOf(answer),
    }
  }

  /** Step 2: what the server makes of the login, as the path to come back with. */
  function comeBack(url: string, n: string, changes: Partial<GateTicket> = {}) {
    const ticket = sealTicket(bench.server.gateKey, {
      host: 'nas.localhost',
      record: 7,
      user: 1,
      session: 'console-1',
      n,
      expiresAt: Date.now() + ticketLifetimeMs,
      ...changes,
    })
    const { pathname, search } = new URL(url)
    return `${pathname}${search}${search === '' ? '?' : '&'}__hp_ticket=${ticket}`
  }

  /** The whole way; gives the gate cookie. */
  async function enter() {
    const { url, n, nonce } = await knock()
    const answer = await bench.visit('nas.localhost', comeBack(url, n), {
      headers: { ...pageHeaders, Cookie: nonce },
    })
    return cookieOf(answer)
  }

  return { ...bench, knock, comeBack, enter }
}

describe('the way round of an owner', () => {
  it('leads from a closed name over the login to the page, in five steps', async () => {
    const bench = await createOwnerBench()
    const { answer, url, n, nonce } = await bench.knock()
    expect(answer.status).toBe(302)
    expect(answer.headers.location).toMatch(/^http:\/\/localhost:8080\/#\/login\?url=/)
    expect(url).toBe('http://nas.localhost:8080/films?a=1&b=%2F')
    expect(answer.headers['cache-control']).toBe('no-store')

    const back = await bench.visit('nas.localhost', bench.comeBack(url, n), {
      headers: { ...pageHeaders, Cookie: nonce },
    })
    expect(back.status).toBe(303)
    expect(back.headers.location).toBe(url)
    expect(back.headers['cache-control']).toBe('no-store')
    expect(back.headers['referrer-policy']).toBe('no-referrer')

    const page = await bench.visit('nas.localhost', '/films?a=1&b=%2F', {
      headers: { ...pageHeaders, Cookie: `${cookieOf(back)}; ${nonce}; own=1` },
    })
    expect(page.status).toBe(200)
    const seen = JSON.parse(page.body)
    expect(seen.url).toBe('/films?a=1&b=%2F')
    expect(seen.headers.cookie).toBe('own=1')
  })

  it.each([
    ['behind', -40],
    ['ahead', 40],
  ])('does not mind a relay whose clock is years %s', async (_, years) => {
    const shiftMs = years * 365 * 24 * 60 * 60 * 1000
    const lines: string[] = []
    const destination = { write: (line: string) => void lines.push(line) }
    const bench = await createOwnerBench({
      clock: { ...systemClock, now: () => systemClock.now() + shiftMs },
      logger: createLogger({ level: 'warn', name: 'relay', destination }),
    })
    const pass = await bench.enter()
    const page = await bench.visit('nas.localhost', '/', {
      headers: { ...pageHeaders, Cookie: pass },
    })
    expect(page.status).toBe(200)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: "the server's clock and this relay's disagree; the server's counts",
    })
    const { url, n, nonce } = await bench.knock()
    const late = bench.comeBack(url, n, { expiresAt: Date.now() - 60_000 })
    const refused = await bench.visit('nas.localhost', late, {
      headers: { ...pageHeaders, Cookie: nonce },
    })
    expect(refused.status).toBe(400)
  })

  it('tells scripts 401 with a problem document and never leads them anywhere', async () => {
    const bench = await createOwnerBench()
    for (const options of [
      {},
      { method: 'POST', headers: pageHeaders, body: 'x=1' },
      { headers: { ...pageHeaders, 'Sec-Fetch-Dest': 'image' } },
    ]) {
      const answer = await bench.visit('nas.localhost', '/', options)
      expect(answer.status).toBe(401)
      expect(answer.headers['content-type']).toBe('application/problem+json')
      expect(answer.headers.location).toBeUndefined()
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'not_signed_in' })
    }
  })

  it.each<[string, Partial<GateTicket>]>([
    ['of another host', { host: 'other.localhost' }],
    ['of another record', { record: 8 }],
    ['for another nonce', { n: randomBytes(32).toString('base64url') }],
    ['that expired', { expiresAt: Date.now() - 1 }],
  ])('stops at a ticket %s', async (_, changes) => {
    const bench = await createOwnerBench()
    const { url, n, nonce } = await bench.knock()
    const answer = await bench.visit('nas.localhost', bench.comeBack(url, n, changes), {
      headers: { ...pageHeaders, Cookie: nonce },
    })
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('cookies_blocked')
    expect(answer.headers['set-cookie']).toBeUndefined()
    // Trying again begins anew: the address without the ticket that does not work.
    expect(answer.body).toContain('<a class="retry" href="/films?a=1&amp;b=%2F">')
  })

  it('stops what another site does in the name of who is in, with a page that says so', async () => {
    const bench = await createOwnerBench()
    const headers = { ...pageHeaders, Cookie: await bench.enter(), Origin: 'http://cam.localhost' }
    const options = { method: 'POST', body: 'x=1' }
    const page = await bench.visit('nas.localhost', '/', { ...options, headers })
    expect(page.status).toBe(403)
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(page.body).toContain('<dd>foreign_origin</dd>')
    const Accept = '*/*'
    const problem = await bench.visit('nas.localhost', '/', {
      ...options,
      headers: { ...headers, Accept },
    })
    expect(JSON.parse(problem.body)).toMatchObject({ status: 403, code: 'foreign_origin' })
  })

  it('stops a ticket that is replayed without its cookie, and one in a POST', async () => {
    const bench = await createOwnerBench()
    const { url, n, nonce } = await bench.knock()
    const path = bench.comeBack(url, n)
    await bench.visit('nas.localhost', path, { headers: { ...pageHeaders, Cookie: nonce } })
    const replayed = await bench.visit('nas.localhost', path, { headers: pageHeaders })
    expect(replayed.status).toBe(400)
    expect(replayed.body).toContain('cookies_blocked')
    const posted = await bench.visit('nas.localhost', path, {
      method: 'POST',
      headers: { ...pageHeaders, Cookie: nonce },
    })
    expect(posted.status).toBe(401)
  })

  it('does not take the cookie of a sibling name', async () => {
    const bench = await createOwnerBench()
    const other = bench.route({ access: ['owner'], record: 8, host: 'cam.localhost' })
    bench.server.setRoute(other)
    const cookie = await bench.enter()
    const answer = await bench.visit('cam.localhost', '/', { headers: { Cookie: cookie } })
    expect(answer.status).toBe(401)
  })

  it('ends with the console session, also where the server said so before a restart', async () => {
    const bench = await createOwnerBench()
    const cookie = await bench.enter()
    const ask = () => bench.visit('nas.localhost', '/', { headers: { Cookie: cookie } })
    expect((await ask()).status).toBe(200)
    bench.server.peer?.notify('console_session_ended', { session: 'console-1' })
    // Messages keep their order: the answer to this probe comes after the notice was heard.
    await bench.server.peer?.request('probe', bench.route({ device: 'nobody' }))
    expect((await ask()).status).toBe(401)

    const second = await createOwnerBench()
    const kept = await second.enter()
    second.server.endedSessions = ['console-1']
    await second.server.drop()
    second.server.isUp = true
    await until(() => second.server.hellos.length === 2)
    await second.server.peer?.request('probe', bench.route({ device: 'nobody' }))
    const answer = await second.visit('nas.localhost', '/', { headers: { Cookie: kept } })
    expect(answer.status).toBe(401)
  })

  it('ends for a visitor whose way in was taken out of the record', async () => {
    const bench = await createOwnerBench()
    const cookie = await bench.enter()
    bench.server.setRoute(bench.route({ access: ['owner'], record: 9 }))
    bench.server.peer?.notify('routes_changed', [{ kind: 'host', host: 'nas.localhost' }])
    await bench.server.peer?.request('probe', bench.route({ device: 'nobody' }))
    const answer = await bench.visit('nas.localhost', '/', { headers: { Cookie: cookie } })
    expect(answer.status).toBe(401)
  })
})

describe('a WebSocket behind the gate', () => {
  async function createSocketBench() {
    const bench = await createOwnerBench()
    const home = createServer()
    const sockets = new WebSocketServer({ server: home })
    sockets.on('connection', socket => socket.on('message', data => socket.send(`echo ${data}`)))
    const port = await serveHttp(home)
    bench.server.setRoute(bench.route({ access: ['owner'], target: `http://127.0.0.1:${port}` }))
    bench.server.peer?.notify('routes_changed', [{ kind: 'host', host: 'nas.localhost' }])
    const cookie = await bench.enter()

    function open(headers: Record<string, string>) {
      const socket = new WebSocket(`ws://127.0.0.1:${bench.port}/chat`, {
        headers: { Host: 'nas.localhost:8080', ...headers },
      })
      return new Promise<WebSocket | number>((resolve, reject) => {
        socket.once('open', () => resolve(socket))
        socket.once('unexpected-response', (_, answer) => resolve(answer.statusCode ?? 0))
        socket.once('error', reject)
      })
    }
    return { ...bench, cookie, open }
  }

  it('opens with the cookie from the own page only', async () => {
    const bench = await createSocketBench()
    const Cookie = bench.cookie
    expect(await bench.open({})).toBe(401)
    expect(await bench.open({ Cookie, Origin: 'http://evil.localhost:8080' })).toBe(403)
    const socket = await bench.open({ Cookie, Origin: 'http://nas.localhost:8080' })
    if (typeof socket === 'number') throw new Error(`answered ${socket}`)
    const answer = new Promise(resolve => socket.once('message', data => resolve(String(data))))
    socket.send('hello')
    expect(await answer).toBe('echo hello')
    socket.terminate()
  })

  it('is cut when the console session ends', async () => {
    const bench = await createSocketBench()
    const socket = await bench.open({ Cookie: bench.cookie })
    if (typeof socket === 'number') throw new Error(`answered ${socket}`)
    const closed = new Promise<number>(resolve => socket.once('close', resolve))
    socket.once('error', () => undefined)
    bench.server.peer?.notify('console_session_ended', { session: 'console-1' })
    expect(await closed).toBe(1006)
  })
})
