import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { linkAgent } from '../testing/agent.ts'
import { createBench, portOf, serveHttp, until, whenDone } from '../testing/bench.ts'

function hasNginx(): boolean {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false // not installed: the tests that need it are counted as skipped
  }
}

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  await new Promise(resolve => server.close(resolve))
  return port
}

/** nginx that passes upgrades to websocket alone; everything else goes on as a plain request. */
async function startBalancer(relayPort: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-nginx-'))
  const port = await freePort()
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit;
    events { worker_connections 64; }
    http {
      access_log off;
      client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
      uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      map $http_upgrade $passed { default ''; websocket websocket; }
      map $passed $way { default upgrade; '' close; }
      server {
        listen 127.0.0.1:${port};
        location / {
          proxy_pass http://127.0.0.1:${relayPort};
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_set_header Upgrade $passed;
          proxy_set_header Connection $way;
        }
      }
    }`,
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: 'inherit',
  })
  whenDone(async () => {
    nginx.kill()
    await once(nginx, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  await expect
    .poll(async () => {
      const socket = connect(port, '127.0.0.1')
      const isUp = await once(socket, 'connect').then(
        () => true,
        () => false,
      )
      socket.destroy()
      return isUp
    })
    .toBe(true)
  return port
}

/** A balancer that refuses what is no websocket; `asked` holds the upgrades it saw. */
async function startStrictBalancer(relayPort: number) {
  const asked: string[] = []
  const server = createTcpServer(socket => {
    whenDone(() => socket.destroy())
    socket.on('error', () => socket.destroy())
    socket.once('data', (head: Buffer) => {
      asked.push(/\r\nUpgrade: (\S+)/.exec(String(head))?.[1] ?? '')
      if (asked.at(-1) !== 'websocket') {
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
        return
      }
      const relay = connect(relayPort, '127.0.0.1')
      relay.write(head)
      relay.on('error', () => relay.destroy())
      socket.pipe(relay).pipe(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => server.close())
  return { port: portOf(server), asked }
}

/** A relay with a record whose target gives back what it is sent. */
async function createEchoBench() {
  const bench = await createBench()
  const home = createServer((request, answer) => request.pipe(answer))
  bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(home)}` }))
  return bench
}

async function askWebsocket(port: number, lines: string[]): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  whenDone(() => socket.destroy())
  const request = ['GET /.homeport/link HTTP/1.1', `Host: localhost:${port}`, 'Connection: Upgrade']
  socket.write([...request, 'Upgrade: websocket', ...lines, '', ''].join('\r\n'))
  return socket
}

const firstText = async (socket: Socket) => String((await once(socket, 'data'))[0])
const body = 'homeport '.repeat(300_000)

describe('a link in a websocket', () => {
  it('is what an agent falls back to, and it carries flows both ways', async () => {
    const bench = await createEchoBench()
    const balancer = await startStrictBalancer(bench.port)
    await linkAgent(balancer.port, bench.device)
    expect(balancer.asked).toEqual(['homeport/1', 'websocket'])
    const answer = await bench.visit('nas.localhost', '/', { method: 'POST', body })
    expect(answer.status).toBe(200)
    expect(answer.body === body).toBe(true)
  })

  it('tells an agent why it is refused', async () => {
    const bench = await createEchoBench()
    const balancer = await startStrictBalancer(bench.port)
    bench.server.keys.delete('nas')
    await expect(linkAgent(balancer.port, bench.device)).rejects.toMatchObject({
      code: 'device_unknown',
      retry: 'never',
    })
  })

  it.skipIf(!hasNginx())('goes through nginx that passes no other upgrade', async () => {
    const bench = await createEchoBench()
    const link = await linkAgent(await startBalancer(bench.port), bench.device)
    const answer = await bench.visit('nas.localhost', '/', { method: 'POST', body })
    expect(answer.body === body).toBe(true)
    link.muxer.close()
    await until(() => bench.server.closed.length === 1)
  })

  it.each([
    ['no key', ['Sec-WebSocket-Version: 13']],
    ['a key that is too short', ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: YQ==']],
    ['another version', ['Sec-WebSocket-Version: 8', `Sec-WebSocket-Key: ${'A'.repeat(22)}==`]],
  ])('is not opened with %s', async (_what, lines) => {
    const bench = await createEchoBench()
    expect(await firstText(await askWebsocket(bench.port, lines))).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('is over after a frame that is not masked', async () => {
    const bench = await createEchoBench()
    const key = `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`
    const socket = await askWebsocket(bench.port, ['Sec-WebSocket-Version: 13', key])
    // RFC 6455 section 1.3 gives this pair.
    expect(await firstText(socket)).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
    const over = once(socket, 'close')
    socket.write(Buffer.from([0x82, 1, 0]))
    await over
    expect(bench.server.opened).toEqual([])
  })
})
