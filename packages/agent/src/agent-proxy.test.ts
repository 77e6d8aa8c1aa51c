import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request as ask, createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createLogger } from '@homeport/runtime'
import { acceptLink } from '@homeport/tunnel'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startAgent } from './agent.ts'

const closers: (() => unknown)[] = []
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-agent-'))
})
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  await rm(folder, { recursive: true })
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server that binds whoever asks and takes its link; `linked` hears of the first. */
async function startServer() {
  let publicKey = ''
  const linked = Promise.withResolvers<string>()
  const server = createServer(async (request, answer) => {
    let body = ''
    for await (const chunk of request) body += chunk
    publicKey = JSON.parse(body).public_key
    answer.writeHead(201, { 'Content-Type': 'application/json' })
    answer.end(JSON.stringify({ uid: 'd1' }))
  })
  server.on('upgrade', (request, socket: Duplex, head) => {
    closers.push(() => socket.destroy())
    const host = request.headers.host ?? ''
    const findDeviceKey = async () => ({ publicKey })
    acceptLink(socket, { relayId: 'r1', host, head, findDeviceKey }).then(
      link => linked.resolve(link.hello.device),
      linked.reject,
    )
  })
  return { port: await listen(server), linked: linked.promise }
}

/** A proxy for requests and for CONNECT that finds every host on this machine; `asked` is what it was asked for. */
async function startProxy() {
  const asked: string[] = []
  const proxy = createServer((request, answer) => {
    asked.push(`${request.method} ${request.url}`)
    const { port, pathname } = new URL(request.url ?? '')
    const { method, headers } = request
    // An agent of its own: the global one goes through this very proxy while the device is paired.
    const own = new Agent()
    const onward = ask(
      { host: '127.0.0.1', port, path: pathname, method, headers, agent: own },
      reply => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(answer)
      },
    )
    request.pipe(onward)
  })
  proxy.on('connect', (request, socket: Duplex) => {
    asked.push(`CONNECT ${request.url}`)
    const onward = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    closers.push(() => socket.destroy())
  })
  return { port: await listen(proxy), asked }
}

it('pairs and links through the proxy of its environment', async () => {
  const server = await startServer()
  const proxy = await startProxy()
  const agent = startAgent({
    server: new URL(`http://relay.test:${server.port}`),
    token: 'token-1',
    dataFolder: join(folder, 'data'),
    allow: [],
    allowLoopback: false,
    insecure: true,
    version: '1.0.0',
    logger: createLogger({ level: 'silent', name: 'agent' }),
    env: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}` },
  })
  closers.push(() => agent.stop())
  expect(await Promise.race([server.linked, agent.finished])).toBe('d1')
  expect(proxy.asked).toEqual([
    `POST http://relay.test:${server.port}/api/agent/pair/`,
    `CONNECT relay.test:${server.port}`,
  ])
})

it('says at once that a proxy is none', () => {
  const start = () =>
    startAgent({
      server: new URL('https://relay.test'),
      dataFolder: folder,
      allow: [],
      allowLoopback: false,
      insecure: false,
      version: '1.0.0',
      logger: createLogger({ level: 'silent', name: 'agent' }),
      env: { HTTPS_PROXY: 'socks5://proxy:1080' },
    })
  expect(start).toThrow('HTTPS_PROXY must be an http:// or https:// address')
})
