import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createBench, portOf } from '../testing/bench.ts'

// The visitor, the balancer and the agent come from addresses of their own, as in a real deployment.
const visitor = '127.0.0.7'
const balancer = '127.0.0.2'

const folder = mkdtempSync(join(tmpdir(), 'homeport-balancers-'))
const certFile = join(folder, 'cert.pem')
const keyFile = join(folder, 'key.pem')
const programs: ChildProcess[] = []

afterEach(async () => {
  for (const program of programs.splice(0)) {
    if (program.exitCode !== null || program.signalCode !== null) continue
    program.kill('SIGKILL')
    await once(program, 'exit')
  }
})

afterAll(() => rmSync(folder, { recursive: true }))

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

const isListening = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Runs a balancer in front of the relay until the test is over; resolves with its port. */
async function startBalancer(file: string, args: string[], configure: (port: number) => string) {
  const port = await findFreePort()
  const configFile = join(folder, 'balancer.conf')
  writeFileSync(configFile, configure(port))
  const program = spawn(file, [...args, configFile], { stdio: 'ignore' })
  programs.push(program)
  while (!(await isListening(port))) {
    if (program.exitCode !== null) throw new Error(`${file} ended with ${program.exitCode}`)
  }
  return port
}

const haproxy = '/usr/sbin/haproxy'
const throughHaproxy = (relayPort: number, options: string) =>
  startBalancer(
    haproxy,
    ['-db', '-f'],
    port => `
defaults
  mode tcp
  timeout client 5s
  timeout server 5s
  timeout connect 5s
listen balancer
  bind 127.0.0.1:${port}
  server relay 127.0.0.1:${relayPort} source ${balancer} ${options}
`,
  )

const nginx = '/usr/sbin/nginx'
const nginxStream = '/usr/lib/nginx/modules/ngx_stream_module.so'
const throughNginx = (relayPort: number) =>
  startBalancer(
    nginx,
    ['-p', folder, '-e', 'stderr', '-c'],
    port => `
load_module ${nginxStream};
daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 64; }
stream {
  server {
    listen 127.0.0.1:${port};
    proxy_pass 127.0.0.1:${relayPort};
    proxy_bind ${balancer};
    proxy_protocol on;
  }
}`,
  )

/** Asks through the balancer, and tells what the page at home saw. */
function ask(port: number, isSecure = false) {
  const options = { host: '127.0.0.1', port, localAddress: visitor, agent: false } as const
  const headers = { Host: 'nas.localhost', 'X-Forwarded-For': '203.0.113.66' }
  return new Promise<Record<string, string>>((resolve, reject) => {
    const asking = isSecure
      ? requestSecurely({ ...options, headers, rejectUnauthorized: false })
      : request({ ...options, headers })
    asking.once('error', reject)
    asking.once('response', async answer => {
      let body = ''
      for await (const chunk of answer) body += chunk
      resolve(JSON.parse(body).headers)
    })
    asking.end()
  })
}

async function createBalancedBench(isSecure: boolean) {
  if (isSecure && !existsSync(certFile)) {
    const key =
      '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'
    const args = ['req', '-x509', ...key.split(' '), '-keyout', keyFile, '-out', certFile]
    execFileSync('openssl', args, { stdio: 'ignore' })
  }
  const bench = await createBench({
    proxyProtocol: 'door',
    trustedProxies: [balancer],
    ...(isSecure && { tls: { certFile, keyFile }, consoleUrl: 'https://localhost:8080' }),
  })
  bench.server.setRoute(bench.route())
  // The agent is no customer of the balancer: it needs no header.
  await bench.link(isSecure ? { ca: readFileSync(certFile) } : {})
  return bench
}

const ways = [
  ['http', false],
  ['https', true],
] as const

describe.skipIf(!existsSync(haproxy))('HAProxy', () => {
  describe.each(ways)('over %s', (_, isSecure) => {
    it.each([
      'send-proxy',
      'send-proxy-v2',
      'send-proxy-v2 proxy-v2-options crc32c,unique-id,authority',
      'send-proxy-v2 check inter 50',
    ])('names the visitor with %s', async options => {
      const bench = await createBalancedBench(isSecure)
      const port = await throughHaproxy(bench.port, options)
      for (let round = 0; round < 3; round += 1) {
        expect(await ask(port, isSecure)).toMatchObject({
          'x-forwarded-for': visitor,
          'x-real-ip': visitor,
          'x-forwarded-proto': isSecure ? 'https' : 'http',
        })
      }
    })
  })

  it('is turned away where it says nothing', async () => {
    const bench = await createBalancedBench(false)
    const port = await throughHaproxy(bench.port, '')
    await expect(ask(port)).rejects.toThrow()
  })
})

describe.skipIf(!existsSync(nginx) || !existsSync(nginxStream))('nginx', () => {
  it.each(ways)('names the visitor over %s', async (_, isSecure) => {
    const bench = await createBalancedBench(isSecure)
    const port = await throughNginx(bench.port)
    expect(await ask(port, isSecure)).toMatchObject({ 'x-forwarded-for': visitor })
  })
})
