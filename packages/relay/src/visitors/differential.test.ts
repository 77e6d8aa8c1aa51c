import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createNetServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createTestHeld } from '../testing/held.ts'
import { createDoor } from './door.ts'
import { carriedRequests, carriedSequences, refusedRequests } from './odd-requests.ts'
import { passageTo } from './test-door.ts'

// Every program listens on a socket in this folder: no port can be taken by somebody else.
const folder = mkdtempSync(join(tmpdir(), 'homeport-readers-'))
const place = (name: string) => join(folder, `${name}.sock`)
const stops: (() => unknown)[] = []

/** What the target understood, request by request: the meaning of the bytes that went in at the front. */
let seen: [method: string, target: string, host: string, bodyBytes: number][] = []
/** Reasons of the door's log. */
let reasons: string[] = []

afterEach(() => {
  seen = []
  reasons = []
})

// The last request of each connection: a reader that finds the end of the odd one elsewhere does not see it, or sees another.
const sentinel = 'GET /sentinel HTTP/1.1\r\nHost: nas.example\r\nConnection: close\r\n\r\n'
const sentinelSeen = ['GET', '/sentinel', 'nas.example', 0]

const listen = (server: { listen(path: string, done: () => void): unknown }, name: string) =>
  new Promise<void>(resolve => server.listen(place(name), resolve))

async function startTarget(): Promise<void> {
  const server: Server = createServer((incoming, answer) => {
    let bytes = 0
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      // Readers that leave an absolute-form alone mean the path in it.
      const path = url.replace(/^https?:\/\/[^/?]*\/?/i, '/')
      seen.push([method, path, (headers.host ?? '').toLowerCase(), bytes])
      answer.end()
    })
  })
  await listen(server, 'target')
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
}

/** A door whose target stands at a socket of the folder. */
async function startDoor(name: string, target: string): Promise<void> {
  const open = async () => connect({ path: place(target), allowHalfOpen: true })
  const passage = passageTo(80, { upstream: { open } })
  const note = (facts: object) => {
    if ('reason' in facts) reasons.push(String(facts.reason))
  }
  const log = { debug: note, error: note }
  const door = createDoor({ resolve: () => passage, log, held: createTestHeld() })
  const server = createNetServer({ allowHalfOpen: true }, socket => door.accept(socket))
  await listen(server, name)
  stops.push(() => {
    server.close()
    return door.drain(0)
  })
}

/** Runs another reader until the end of the file; resolves when it listens. */
async function startReader(name: string, file: string, args: string[], config: string) {
  const configFile = join(folder, `${name}.conf`)
  writeFileSync(configFile, config)
  const child: ChildProcess = spawn(file, [...args, configFile], { stdio: 'ignore' })
  const gone = new Promise<void>(resolve => child.once('exit', () => resolve()))
  stops.push(() => {
    child.kill('SIGKILL')
    return gone
  })
  while (!(await isListening(name))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
  }
}

const isListening = (name: string) =>
  new Promise<boolean>(resolve => {
    const socket = connect(place(name))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const nginxConfig = `
daemon off; master_process off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server {
    listen unix:${place('nginx')};
    location / { proxy_pass http://unix:${place('target')}; proxy_set_header Host $http_host; }
  }
}`

const haproxyConfig = `
defaults
  mode http
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend readers
  bind unix@${place('haproxy')}
  default_backend target
backend target
  server target unix@${place('target')}
`

/** Sends bytes in one piece and waits until the other side has said its last word. */
const send = (name: string, bytes: string) =>
  new Promise<string>(resolve => {
    const socket: Socket = connect(place(name))
    let text = ''
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.once('end', () => socket.destroy()).once('close', () => resolve(text))
    socket.write(bytes, 'latin1')
  })

/** What the target understood of bytes that went in there, and the first status that came out. */
async function readBy(name: string, bytes: string) {
  seen = []
  const answer = await send(name, bytes + sentinel)
  return { seen, status: Number(answer.slice(9, 12)) }
}

beforeAll(async () => {
  await startTarget()
  await startDoor('door', 'target')
  await startDoor('door-nginx', 'nginx')
})
afterAll(async () => {
  for (const stop of stops.reverse()) await stop()
  rmSync(folder, { recursive: true })
})

test.each(refusedRequests)('refuses %s', async (_, bytes, reason) => {
  const { status, seen } = await readBy('door', bytes)
  expect(reasons).toContain(reason)
  expect(seen).toEqual([])
  expect([400, 405, 417, 505]).toContain(status)
})

/** A 1.0 connection ends with its answer, so nothing follows. */
const expectedOf = (bytes: string, first: readonly unknown[]) =>
  bytes.includes('HTTP/1.0') ? [first] : [first, sentinelSeen]

test.each(carriedRequests)('carries $name', async ({ bytes, seen }) => {
  expect((await readBy('door', bytes)).seen).toEqual(expectedOf(bytes, seen))
})

test.each(carriedSequences)('carries $name, pipelined', async ({ bytes, seen }) => {
  expect((await readBy('door', bytes)).seen).toEqual([...seen, sentinelSeen])
})

test.each(refusedRequests)(
  'after a good request, refuses %s and nothing behind it',
  async (_, bytes) => {
    const before = 'GET /before HTTP/1.1\r\nHost: nas.example\r\n\r\n'
    const { status, seen } = await readBy('door', before + bytes)
    expect(status).toBe(200)
    expect(seen).toEqual([['GET', '/before', 'nas.example', 0]])
  },
)

const nginx = '/usr/sbin/nginx'
const haproxy = '/usr/sbin/haproxy'

describe.skipIf(!existsSync(nginx))('nginx', () => {
  beforeAll(() => startReader('nginx', nginx, ['-p', folder, '-e', 'stderr', '-c'], nginxConfig))

  test.each(carriedRequests)('agrees on $name', async ({ bytes, seen, refusedBy = [] }) => {
    const direct = await readBy('nginx', bytes)
    const behind = await readBy('door-nginx', bytes)
    if (refusedBy.includes('nginx')) {
      expect(direct).toEqual({ seen: [], status: 400 })
    } else {
      expect(direct.seen).toEqual(expectedOf(bytes, seen))
      expect(behind.seen).toEqual(expectedOf(bytes, seen))
    }
  })

  test.each(carriedSequences)('agrees on $name, pipelined', async ({ bytes, seen }) => {
    expect((await readBy('nginx', bytes)).seen).toEqual([...seen, sentinelSeen])
    expect((await readBy('door-nginx', bytes)).seen).toEqual([...seen, sentinelSeen])
  })
})

describe.skipIf(!existsSync(haproxy))('HAProxy', () => {
  beforeAll(() => startReader('haproxy', haproxy, ['-db', '-f'], haproxyConfig))

  test.each(carriedRequests)('agrees on $name', async ({ bytes, seen, refusedBy = [] }) => {
    const direct = await readBy('haproxy', bytes)
    if (refusedBy.includes('haproxy')) expect(direct).toEqual({ seen: [], status: 400 })
    else expect(direct.seen).toEqual(expectedOf(bytes, seen))
  })

  test.each(carriedSequences)('agrees on $name, pipelined', async ({ bytes, seen }) => {
    expect((await readBy('haproxy', bytes)).seen).toEqual([...seen, sentinelSeen])
  })
})
