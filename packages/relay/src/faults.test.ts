import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@homeport/runtime'
import { TunnelError } from '@homeport/tunnel'
import { describe, expect, it } from 'vitest'
import { createBench, pageHeaders, serveHttp, until, whenDone } from './testing/bench.ts'

/** The code of the relay's own page. */
const codeOf = (page: { body: string }) => /错误代码<\/dt><dd>(\w+)</.exec(page.body)?.[1]

/** A bench whose page at home never answers, and a visitor who waits for it. */
async function waitForAnswer() {
  const bench = await createBench()
  let arrived = false
  const home = createServer(() => {
    arrived = true
  })
  bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(home)}` }))
  const link = await bench.link()
  const page = bench.visit('nas.localhost', '/', { headers: pageHeaders })
  await until(() => arrived)
  return { home, link, page }
}

describe('a request that waits for its answer', () => {
  it('is told that the device is offline when its link is lost', async () => {
    const { link, page } = await waitForAnswer()
    link.muxer.close()
    expect([(await page).status, codeOf(await page)]).toEqual([503, 'device_offline'])
  })

  it('is told that the target failed when the target hangs up', async () => {
    const { home, page } = await waitForAnswer()
    home.closeAllConnections()
    expect([(await page).status, codeOf(await page)]).toEqual([502, 'target_failed'])
  })
})

it('an agent that leaves: what runs ends in its time, what is new is told at once', async () => {
  const bench = await createBench()
  const waiting: (() => void)[] = []
  const slow = createServer((_, answer) => waiting.push(() => answer.end('done')))
  bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(slow)}` }))
  const link = await bench.link()
  const running = bench.visit('nas.localhost')
  await until(() => waiting.length === 1)
  const left = link.muxer.drain(10_000)
  const page = await bench.visit('nas.localhost', '/', { headers: pageHeaders })
  expect([page.status, codeOf(page)]).toEqual([503, 'device_offline'])
  waiting[0]?.()
  expect((await running).body).toBe('done')
  await left
})

it('an agent that leaves does not wait for connections that visitors keep', async () => {
  const bench = await createBench()
  bench.server.setRoute(bench.route())
  const link = await bench.link()
  const agent = new Agent({ keepAlive: true })
  whenDone(() => agent.destroy())
  const ask = async () => {
    const asking = request({ host: '127.0.0.1', port: bench.port, agent, setHost: false })
    asking.setHeader('Host', 'nas.localhost:8080')
    const answering = once(asking, 'response')
    asking.end()
    const [answer] = await answering
    await once(answer.resume(), 'end')
    return answer.statusCode
  }
  expect([await ask(), await ask()]).toEqual([200, 200])
  expect(link.targets).toHaveLength(1)
  await link.muxer.drain(60_000)
  // The visitor's own connection stays, and is told on it.
  expect(await ask()).toBe(503)
  await bench.link()
  expect(await ask()).toBe(200)
})

it('a link that ends while a flow is opened on it hands the flow to another', async () => {
  const bench = await createBench()
  bench.server.setRoute(bench.route())
  const dying = await bench.link({ mute: true })
  await until(() => bench.server.opened.length === 1)
  const asking = bench.visit('nas.localhost')
  // Its agent says nothing, so the flow waits on it when the other link comes.
  await until(() => dying.muxer.streamCount === 2)
  const other = await bench.link()
  dying.muxer.destroy(new TunnelError('internal'))
  expect((await asking).status).toBe(200)
  expect(other.targets).toEqual([bench.target])
})

describe('while the server is down', () => {
  /** A bench whose record was opened once, and whose server is gone. */
  async function loseServer(config: Parameters<typeof createBench>[0] = {}) {
    const bench = await createBench(config)
    bench.server.setRoute(bench.route())
    bench.server.setRoute(bench.route({ host: 'cam.localhost' }))
    await bench.link()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    await bench.server.drop()
    return bench
  }

  it('what was opened before opens again, and its agent may link again', async () => {
    const bench = await loseServer()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    const again = await bench.link({ session: 'session-2' })
    await bench.visit('nas.localhost')
    expect(again.targets).toHaveLength(1)
  })

  it('what nobody can look up now is said to be unavailable, not unknown', async () => {
    const bench = await loseServer()
    const page = await bench.visit('cam.localhost', '/', { headers: pageHeaders })
    expect([page.status, codeOf(page)]).toEqual([503, 'unavailable'])
    expect(page.headers['retry-after']).toBe('5')
  })

  it('a server that hangs holds nobody up who can do without it', async () => {
    const bench = await createBench()
    bench.server.setRoute(bench.route(), 1)
    await bench.link()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    bench.server.isHanging = true
    const startedAt = performance.now()
    // The first asks and waits in vain; what comes after it does not ask again at once.
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    const firstMs = performance.now() - startedAt
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    expect(performance.now() - startedAt - firstMs).toBeLessThan(firstMs)
  })

  it('comes back to a server that is there again, with what changed meanwhile', async () => {
    const bench = await loseServer()
    bench.server.deny('nas.localhost', 'record_disabled')
    bench.server.isUp = true
    await until(() => bench.server.hellos.length === 2)
    expect(bench.server.hellos[1]).toMatchObject([{ device: 'nas' }])
    let status = 200
    while (status === 200) status = (await bench.visit('nas.localhost')).status
    expect(status).toBe(404)
    expect((await bench.visit('cam.localhost')).status).toBe(200)
  })

  it('the console shows a page of its own, and works again with its server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'homeport-faults-'))
    whenDone(() => rm(folder, { recursive: true }))
    const path = join(folder, 'server.sock')
    const server = createServer((_, answer) => answer.end('console'))
    const listen = () => new Promise<void>(listening => server.listen(path, listening))
    const close = () => new Promise(closed => server.close(closed).closeAllConnections())
    whenDone(close)
    await listen()
    const bench = await createBench({ serverAddress: { path } })
    expect((await bench.visit('localhost')).body).toBe('console')
    await close()
    const page = await bench.visit('localhost', '/', { headers: pageHeaders })
    expect([page.status, codeOf(page)]).toEqual([503, 'unavailable'])
    const call = await bench.visit('localhost', '/api/profile/')
    expect(call.headers['content-type']).toBe('application/problem+json')
    await listen()
    expect((await bench.visit('localhost')).body).toBe('console')
  })

  it.each([
    ['hangs up', (socket: { destroy(): void }) => socket.destroy()],
    ['never answers', () => undefined],
  ])('the console shows the same page where its server %s', async (_, treat) => {
    const server = createServer((_, answer) => treat(answer))
    const bench = await createBench({
      serverAddress: { host: '127.0.0.1', port: await serveHttp(server) },
      limits: { door: { responseHeadMs: 100 } },
    })
    const page = await bench.visit('localhost', '/', { headers: pageHeaders })
    expect([page.status, codeOf(page)]).toEqual([503, 'unavailable'])
  })
})

it('two agents with one key are told apart: the newer one stays, and the older one is named when it knocks', async () => {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const logger = createLogger({ level: 'warn', name: 'relay', destination })
  const bench = await createBench({ logger })
  const old = await bench.link({ session: 'old' })
  await bench.link({ session: 'young' })
  await old.muxer.closed
  for (let knock = 0; knock < 3; knock += 1) {
    await expect(bench.link({ session: 'old' })).rejects.toMatchObject({ code: 'session_replaced' })
  }
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { msg: 'a newer agent with the same device key took the place', replaced: 'old' },
    ...Array.from({ length: 3 }, () => ({
      msg: 'two agents share one device key; the newer one stays',
      device: 'nas',
      session: 'old',
      stays: 'young',
    })),
  ])
  const news = bench.server.opened.map(({ session, shared_at }) => [
    session,
    shared_at !== undefined,
  ])
  expect(news).toEqual([
    ['old', false],
    ['young', false],
    ...Array.from({ length: 3 }, () => ['young', true]),
  ])
})
