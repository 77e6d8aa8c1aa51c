/**
 * The HTTP door through the tunnel (visitor → relay → agent → target) beside nginx as an HTTP proxy (visitor → nginx → target), in one
 * run on one machine, in turns. Run it with `node bench/door.ts [rounds] [seconds]`; needs wrk and nginx. Linux only: CPU time is read
 * from /proc.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { loadIdentity, savePairing, startAgent } from '@homeport/agent'
import { createPortChannel, createServerPeer, type Route } from '@homeport/contract/control'
import { createRelay } from '@homeport/relay'
import { createLogger } from '@homeport/runtime'

const connections = 32
// Where Debian puts them; sbin is not on an ordinary user's PATH.
const programs = { nginx: '/usr/sbin/nginx', wrk: '/usr/bin/wrk' }
const device = 'bench'
const logger = createLogger({ level: 'error', name: 'bench' })

/** One record `nas.localhost`, public, on the one device; the rest of the server is left out. */
async function runRelay(publicKey: string, target: string): Promise<void> {
  const route: Route = {
    record: 1,
    device,
    device_id: 1,
    owner: 1,
    kind: 'http',
    host: 'nas.localhost',
    port: null,
    target,
    access: ['public'],
    options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
  }
  const { port1, port2 } = new MessageChannel()
  const consoleUrl = 'http://localhost'
  createServerPeer(
    createPortChannel(port1),
    {
      hello: () => ({
        gate_key: randomBytes(32).toString('base64url'),
        console_url: consoleUrl,
        tunnel_domain: 'localhost',
        ended_sessions: [],
        ports: [],
      }),
      resolve: () => ({ allow: true, route, max_age_ms: 60_000 }),
      device_key: () => ({ public_key: publicKey }),
      session_opened: () => process.send?.('linked'),
      session_closed: () => undefined,
      usage: () => undefined,
    },
    fault => {
      throw fault.cause
    },
  )
  const relay = createRelay({
    host: '127.0.0.1',
    port: 0,
    consoleUrl,
    tunnelDomain: 'localhost',
    allowIpLiteralConsole: false,
    serverAddress: { host: '127.0.0.1', port: 9 },
    trustedProxies: [],
    relayId: 'bench',
    version: '0.0.0',
    logger,
    connectControl: async () => createPortChannel(port2),
  })
  await relay.start()
  process.send?.(relay.address().port)
}

function runAgent(folder: string, port: number): void {
  startAgent({
    server: new URL(`http://localhost:${port}`),
    dataFolder: folder,
    allow: [],
    allowLoopback: true,
    insecure: false,
    version: '0.0.0',
    logger,
  })
}

const children: ChildProcess[] = []

function startRole(...args: string[]): ChildProcess {
  const child = fork(import.meta.filename, args)
  children.push(child)
  return child
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** One nginx worker with this server block; resolves when it takes connections. */
async function startNginx(folder: string, name: string, port: number, http: string) {
  const file = join(folder, `${name}.conf`)
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(kind => `${kind}_temp_path ${folder}/${name}-${kind};`)
    .join(' ')
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/${name}.pid; events { worker_connections 1024; }
     http { access_log off; keepalive_requests 100000000; ${temp} ${http} }`,
  )
  const child = spawn(programs.nginx, ['-p', folder, '-e', 'stderr', '-c', file], {
    stdio: 'inherit',
  })
  children.push(child)
  while (!(await isListening(port))) await delay(20)
  return child
}

const isListening = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('error', () => resolve(false)).once('connect', () => resolve(true))
    socket.once('connect', () => socket.destroy())
  })

/** CPU time of a process so far, user and system, in µs; a tick is 10 ms. */
function cpuMicros(child: ChildProcess): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

interface Round {
  readonly perSecond: number
  /** CPU µs a request, by process. */
  readonly cpu: readonly number[]
}

/** Load from wrk for so long. Throws where any answer was not 200. */
async function measure(port: number, seconds: number, processes: ChildProcess[]): Promise<Round> {
  const before = processes.map(cpuMicros)
  const url = `http://127.0.0.1:${port}/`
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-H', 'Host: nas.localhost', url]
  const wrk = spawn(programs.wrk, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  wrk.stdout.on('data', chunk => {
    text += chunk
  })
  await once(wrk, 'close')
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(text)
  const requests = Number(/(\d+) requests in/.exec(text)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1])
  const cpu = processes.map((child, at) => (cpuMicros(child) - (before[at] ?? 0)) / requests)
  return { perSecond, cpu }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

async function compare(folder: string, rounds: number, seconds: number): Promise<void> {
  const [targetPort, proxyPort] = [await findFreePort(), await findFreePort()]
  const body = 'x'.repeat(1024)
  await startNginx(
    folder,
    'target',
    targetPort,
    `server { listen 127.0.0.1:${targetPort}; location / { return 200 "${body}"; } }`,
  )
  const proxy = await startNginx(
    folder,
    'proxy',
    proxyPort,
    `upstream target { server 127.0.0.1:${targetPort}; keepalive 64; keepalive_requests 100000000; }
     server { listen 127.0.0.1:${proxyPort};
       location / { proxy_pass http://target; proxy_http_version 1.1; proxy_set_header Connection ""; } }`,
  )
  const identity = await loadIdentity(folder)
  const relay = startRole('relay', identity.publicKey, `http://127.0.0.1:${targetPort}`)
  const [relayPort] = (await once(relay, 'message')) as [number]
  await savePairing(folder, identity, { server: `http://localhost:${relayPort}`, uid: device })
  const linked = once(relay, 'message')
  const agent = startRole('agent', folder, String(relayPort))
  await linked

  const door: Round[] = []
  const nginx: Round[] = []
  await measure(relayPort, 2, []) // what V8 compiles once is not what a request costs
  for (let round = 0; round < rounds; round += 1) {
    door.push(await measure(relayPort, seconds, [relay, agent]))
    nginx.push(await measure(proxyPort, seconds, [proxy]))
  }
  print(door, nginx, rounds, seconds)
}

function print(door: Round[], nginx: Round[], rounds: number, seconds: number): void {
  const row = (name: string, of: Round[], cpu: string) => {
    const perSecond = median(of.map(round => round.perSecond))
    const all = of.map(round => Math.round(round.perSecond)).join(' ')
    console.log(`| ${name} | ${Math.round(perSecond)} | ${all} | ${cpu} |`)
    return perSecond
  }
  const cpuOf = (of: Round[], at: number) => median(of.map(round => round.cpu[at] ?? 0)).toFixed(0)
  const [load = 0] = loadavg()
  console.log(
    `node ${process.version}, ${availableParallelism()} cores, load ${load.toFixed(1)}, ${connections} connections, ` +
      `${rounds} rounds of ${seconds} s in turns, answers of 1 KiB, plain http\n`,
  )
  console.log('| way | requests/s (median) | rounds | CPU µs a request |\n|---|---|---|---|')
  const doorCpu = `relay ${cpuOf(door, 0)} + agent ${cpuOf(door, 1)}`
  const ours = row('door, tunnel, agent', door, doorCpu)
  const theirs = row('nginx as HTTP proxy', nginx, cpuOf(nginx, 0))
  console.log(`\nratio ${(ours / theirs).toFixed(2)}`)
}

const [role, first = '', second = ''] = process.argv.slice(2)
if (role === 'relay') await runRelay(first, second)
else if (role === 'agent') runAgent(first, Number(second))
else {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
  try {
    await compare(folder, Number(role ?? 5), Number(first || 4))
  } finally {
    for (const child of children) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}
