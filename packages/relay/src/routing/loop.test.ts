import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect, createServer as createNetServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createBench, portOf, serveHttp, until, whenDone } from '../testing/bench.ts'

const own = { tls_verify: false, tls_server_name: '' }
const asPublic = { ...own, host_header: 'public' }

/** A relay whose records may lead to itself, and a link of a home with it. */
async function createRing(links: Record<string, number> = {}) {
  const bench = await createBench({ limits: { links } })
  const self = `http://127.0.0.1:${bench.port}`
  const link = await bench.link()
  bench.server.setRoute(bench.route({ host: 'good.localhost', record: 8 }))
  return { ...bench, self, agent: link }
}

const codeOf = (answer: { body: string }) => JSON.parse(answer.body).code

describe('a record that leads to', () => {
  it('itself is answered after four times round', async () => {
    const { server, route, self, visit, agent } = await createRing()
    server.setRoute(route({ target: self, options: asPublic }))
    const answer = await visit('nas.localhost')
    expect([answer.status, codeOf(answer)]).toEqual([508, 'loop'])
    expect(agent.targets).toHaveLength(4)
    expect((await visit('good.localhost')).status).toBe(200)
  })

  it('another that leads back is answered too', async () => {
    const { server, route, self, visit } = await createRing()
    const to = (host: string) => ({ ...own, host_header: host })
    server.setRoute(route({ target: self, options: to('cam.localhost') }))
    const back = { target: self, options: to('nas.localhost') }
    server.setRoute(route({ host: 'cam.localhost', record: 9, ...back }))
    expect((await visit('nas.localhost')).status).toBe(508)
  })

  it('itself is answered for a WebSocket, a body and HTTP/1.0 as well', async () => {
    const { server, route, self, visit, port } = await createRing()
    server.setRoute(route({ target: self, options: asPublic }))
    const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' }
    expect((await visit('nas.localhost', '/', { headers: upgrade })).status).toBe(508)
    const upload = { method: 'POST', body: 'x'.repeat(1_000) }
    expect((await visit('nas.localhost', '/', upload)).status).toBe(508)
    const old = connect(port, '127.0.0.1')
    whenDone(() => old.destroy())
    old.write('GET / HTTP/1.0\r\nHost: nas.localhost\r\n\r\n')
    const [head] = await once(old, 'data')
    expect(head.toString('latin1')).toMatch(/^HTTP\/1\.1 508 /)
  })

  it('another record is no ring, and its target learns how often the request came through', async () => {
    const { server, route, self, visit } = await createRing()
    const options = { ...own, host_header: 'good.localhost' }
    server.setRoute(route({ target: self, options }))
    const answer = await visit('nas.localhost', '/', { headers: { 'CDN-Loop': 'other; v=1' } })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body).headers['cdn-loop']).toBe('other; v=1, homeport, homeport')
  })

  it('a proxy that hides the ring ends when its share of flows is used up', async () => {
    const { server, route, self, visit } = await createRing({ flowsPerRecord: 6 })
    const hiding = createServer((incoming, answer) => {
      const { 'cdn-loop': _, ...headers } = incoming.headers
      const again = request(`${self}${incoming.url}`, { headers, agent: false }, back => {
        answer.writeHead(back.statusCode ?? 0, { 'Content-Type': 'application/problem+json' })
        back.pipe(answer)
      })
      again.once('error', () => answer.destroy())
      again.end()
    })
    const target = `http://127.0.0.1:${await serveHttp(hiding)}`
    server.setRoute(route({ target, options: asPublic }))
    const answer = await visit('nas.localhost')
    expect([answer.status, codeOf(answer)]).toEqual([503, 'busy'])
    expect((await visit('good.localhost')).status).toBe(200)
  })
})

describe('the mark', () => {
  it.each([
    ['homeport,homeport,homeport', 200],
    ['homeport, homeport, homeport, homeport', 508],
    ['Homeport;a=b ,homeport,\thomeport , homeport;c', 508],
    ['homeport-x, homeport.example, xhomeport, "homeport", homeport', 200],
  ])('%j is answered with %i', async (mark, status) => {
    const { visit } = await createRing()
    const answer = await visit('good.localhost', '/', { headers: { 'CDN-Loop': mark } })
    expect(answer.status).toBe(status)
  })

  // RFC 8586 section 3: nobody on the way may take it off.
  it('cannot be taken off as a field of one hop', async () => {
    const { visit } = await createRing()
    const headers = { Connection: 'CDN-Loop', 'CDN-Loop': 'homeport' }
    expect((await visit('good.localhost', '/', { headers })).status).toBe(400)
  })
})

it('a tcp record that leads to its own port ends at the limit of connections', async () => {
  const bench = await createBench({ limits: { ports: { connectionsPerAddress: 5 } } })
  const free = createNetServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const port = portOf(free)
  free.close()
  await once(free, 'close')
  const link = await bench.link()
  bench.server.setRoute(bench.route())
  bench.server.setRoute(bench.route({ kind: 'tcp', port, target: `tcp://127.0.0.1:${port}` }))
  bench.server.peer?.notify('routes_changed', [{ kind: 'port', port }])
  let isRefused = true
  while (isRefused) {
    const socket = connect(port, '127.0.0.1')
    whenDone(() => socket.destroy())
    const end = new Promise<string>(resolve => {
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      socket.once('close', () => resolve('closed'))
    })
    socket.resume()
    isRefused = (await end) === 'ECONNREFUSED'
  }
  await until(() => link.muxer.streamCount === 1)
  expect(link.targets.length).toBeLessThanOrEqual(6)
  expect((await bench.visit('nas.localhost')).status).toBe(200)
})
