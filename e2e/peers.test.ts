import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import http, { Agent, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { type Account, addDevice, publish, setUpAdministrator } from './support/account.ts'
import { hasNginx, type Nginx, startNginx } from './support/nginx.ts'
import { type Homeport, startHomeport } from './support/processes.ts'
import { visit } from './support/visitor.ts'

let homeport: Homeport
let account: Account
let device: number

beforeAll(async () => {
  homeport = await startHomeport()
  account = await setUpAdministrator(homeport)
  device = (await addDevice(homeport, account, 'peers')).id
})

afterAll(() => homeport?.dispose())

async function publishServer(name: string, server: net.Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return (await publish(account, device, { name, target: `http://127.0.0.1:${port}` })).url
}

describe.skipIf(!hasNginx)('nginx through the tunnel', () => {
  let nginx: Nginx
  let url: string
  const text = 'the quick brown fox jumps over the lazy dog\n'.repeat(2000)

  beforeAll(async () => {
    nginx = await startNginx()
    await writeFile(join(nginx.root, 'hello.txt'), text)
    url = (
      await publish(account, device, { name: 'nginx', target: `http://127.0.0.1:${nginx.port}` })
    ).url
  })
  afterAll(() => nginx?.stop())

  it('serves a file whole', async () => {
    const answer = await visit(`${url}/hello.txt`)
    expect(answer.status).toBe(200)
    expect(answer.body.toString()).toBe(text)
  })

  it('serves ranges', async () => {
    const one = await visit(`${url}/hello.txt`, { headers: { range: 'bytes=4-8' } })
    expect([one.status, one.headers['content-range'], one.body.toString()]).toEqual([
      206,
      `bytes 4-8/${text.length}`,
      'quick',
    ])
    const many = await visit(`${url}/hello.txt`, { headers: { range: 'bytes=0-2,10-14' } })
    expect(many.status).toBe(206)
    expect(many.headers['content-type']).toMatch(/^multipart\/byteranges/)
    expect(many.body.toString()).toContain('brown')
    const beyond = await visit(`${url}/hello.txt`, { headers: { range: 'bytes=9999999-' } })
    expect(beyond.status).toBe(416)
  })

  it('serves gzip', async () => {
    const answer = await visit(`${url}/hello.txt`, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.body.length).toBeLessThan(text.length / 10)
    expect(gunzipSync(answer.body).toString()).toBe(text)
  })

  it('keeps the connection for the next request, up to nginx itself', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const connections = []
    for (let i = 0; i < 5; i++) {
      const answer = await visit(`${url}/hello.txt`, { agent })
      connections.push(answer.headers['x-connection'])
    }
    agent.destroy()
    expect(new Set(connections).size).toBe(1)
  })

  it('revalidates', async () => {
    const first = await visit(`${url}/hello.txt`)
    const again = await visit(`${url}/hello.txt`, {
      headers: { 'if-none-match': String(first.headers.etag) },
    })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  it('answers HEAD without a body', async () => {
    const answer = await visit(`${url}/hello.txt`, { method: 'HEAD' })
    expect([answer.status, answer.headers['content-length'], answer.body.length]).toEqual([
      200,
      String(text.length),
      0,
    ])
  })

  it('shows the target its own authority and tells the public one beside it', async () => {
    const answer = await visit(`${url}/headers`, {
      headers: { 'x-forwarded-for': '6.6.6.6', cookie: 'hp_gate=x; lang=zh' },
    })
    const [host, publicHost, proto, address, cookie] = answer.body.toString().split('|')
    expect(host).toBe(`127.0.0.1:${nginx.port}`)
    expect(publicHost).toBe(new URL(url).host)
    expect(proto).toBe('http')
    expect(address).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/)
    expect(cookie).toBe('lang=zh')
  })

  it('brings redirects of the target back to the public name', async () => {
    const answer = await visit(`${url}/absolute`)
    expect([answer.status, answer.headers.location]).toEqual([302, `${url}/hello.txt`])
  })
})

describe.skipIf(!hasNginx)('WebDAV through the tunnel', () => {
  let nginx: Nginx
  let url: string
  beforeAll(async () => {
    nginx = await startNginx()
    await mkdir(join(nginx.root, 'dav', 'old'))
    url = (
      await publish(account, device, { name: 'webdav', target: `http://127.0.0.1:${nginx.port}` })
    ).url
  })
  afterAll(() => nginx?.stop())

  it('makes folders, puts, lists, copies, moves, locks and deletes', async () => {
    const dav = (method: string, path: string, headers = {}, body = '') =>
      visit(`${url}/dav/${path}`, { method, headers, body })
    expect((await dav('MKCOL', 'new/')).status).toBe(201)
    expect((await dav('PUT', 'new/a.txt', {}, 'content')).status).toBe(201)
    const listing = await dav('PROPFIND', 'new/', { depth: '1' })
    expect(listing.status).toBe(207)
    expect(listing.body.toString()).toContain('/dav/new/a.txt')
    const destination = (path: string) => ({ destination: `${url}/dav/${path}` })
    expect((await dav('COPY', 'new/a.txt', destination('new/b.txt'))).status).toBe(204)
    expect((await dav('MOVE', 'new/b.txt', destination('new/c.txt'))).status).toBe(204)
    expect((await dav('GET', 'new/c.txt')).body.toString()).toBe('content')
    const lock = await dav(
      'LOCK',
      'new/a.txt',
      { 'content-type': 'application/xml', timeout: 'Second-60' },
      '<?xml version="1.0"?><lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>',
    )
    expect(lock.status).toBe(200)
    const token = String(lock.headers['lock-token'])
    expect((await dav('PUT', 'new/a.txt', {}, 'other')).status).toBe(423)
    expect((await dav('UNLOCK', 'new/a.txt', { 'lock-token': token })).status).toBe(204)
    expect((await dav('DELETE', 'new/')).status).toBe(204)
    expect((await dav('GET', 'new/a.txt')).status).toBe(404)
  })
})

describe('a WebSocket echo through the tunnel', () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', socket => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  afterAll(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
  })

  it('carries text, a megabyte of bytes and the closing code', async () => {
    const url = await publishServer('wsecho', server)
    const { host, port } = new URL(url)
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host } })
    await once(socket, 'open')
    socket.send('你好')
    expect(String((await once(socket, 'message'))[0])).toBe('你好')
    const bytes = Buffer.alloc(1024 * 1024, 7)
    socket.send(bytes)
    const [echoed] = (await once(socket, 'message')) as [Buffer]
    expect(bytes.equals(echoed)).toBe(true)
    socket.close(4001)
    expect((await once(socket, 'close'))[0]).toBe(4001)
  })
})

describe('Server-Sent Events through the tunnel', () => {
  let send: (text: string) => void = () => undefined
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    send = text => response.write(`data: ${text}\n\n`)
    send('first')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('arrive one by one, each before the next is sent', async () => {
    const url = await publishServer('sse', server)
    const { host, port } = new URL(url)
    const request = http.get({ host: '127.0.0.1', port, headers: { host }, agent: false })
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const next = async () => String((await once(response, 'data'))[0])
    expect(await next()).toContain('data: first')
    for (const text of ['second', 'third']) {
      const arriving = next()
      send(text)
      expect(await arriving).toContain(`data: ${text}`)
    }
    request.destroy()
  })
})

describe('large bodies', () => {
  const server = createServer((request, response) => {
    let bytes = 0
    request.on('data', chunk => {
      bytes += chunk.length
    })
    request.on('end', () => response.end(String(bytes)))
  })
  afterAll(() => server.close())

  it('arrive whole, sized and chunked', async () => {
    const url = await publishServer('sink', server)
    const body = Buffer.alloc(24 * 1024 * 1024, 1)
    const sized = await visit(url, {
      method: 'POST',
      body,
      headers: { 'content-length': body.length },
    })
    expect(sized.body.toString()).toBe(String(body.length))
    const chunked = await visit(url, {
      method: 'POST',
      body,
      headers: { 'transfer-encoding': 'chunked' },
    })
    expect(chunked.body.toString()).toBe(String(body.length))
  })
})

async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  return socket
}

describe('a tcp record', () => {
  const server = net.createServer({ allowHalfOpen: true }, socket => {
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('end', () => socket.end([...text].reverse().join('')))
    socket.on('error', () => socket.destroy())
  })
  afterAll(() => server.close())

  it('is carried on a port of the pool, with half-closed connections kept', async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const target = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`
    const record = await publish(account, device, { name: 'reverse', kind: 'tcp', target })
    expect(record.port).toBeGreaterThanOrEqual(20_000)
    // Live at the relay within a second of the answer.
    const socket = await vi.waitFor(() => connect(record.port ?? 0), {
      timeout: 1000,
      interval: 10,
    })
    socket.end('abc')
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toBe('cba')
  })
})
