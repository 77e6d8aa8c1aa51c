import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { countPattern, patternOf } from './pattern.ts'
import { visit } from './visitor.ts'

/** Where visitors go: a public record, one for its owner alone, and a port of a tcp record. */
export interface SoakPlaces {
  web: string
  private: string
  tcpPort: number
}

/** One visitor from its first byte to its last; rejects where the answer is not what it must be. */
export type SoakVisitor = (places: SoakPlaces) => Promise<void>

const kib = 1024
const stay = (ms: number) => wait(ms)

/** Asks and hands back the answer unread. */
async function ask(url: string, method = 'GET', body?: NodeJS.ReadableStream) {
  const { hostname, port, pathname, search } = new URL(url)
  const headers = { host: `${hostname}:${port}` }
  const path = pathname + search
  const request = http.request({ host: '127.0.0.1', port, path, method, headers, agent: false })
  if (body === undefined) request.end()
  else body.pipe(request)
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  // The answer tells of a connection that breaks from here on.
  request.on('error', () => undefined)
  return { request, response }
}

const randomSize = () => randomInt(256 * kib, 3 * 1024 * kib)

async function small({ web }: SoakPlaces): Promise<void> {
  for (let count = 0; count < 5; count += 1) strictEqual((await visit(`${web}/`)).status, 200)
}

async function kept({ web }: SoakPlaces): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 })
  for (let count = 0; count < 20; count += 1) {
    strictEqual((await visit(`${web}/`, { agent })).status, 200)
  }
  agent.destroy()
}

async function download({ web }: SoakPlaces): Promise<void> {
  const bytes = randomSize()
  const { response } = await ask(`${web}/down?bytes=${bytes}`)
  strictEqual(await countPattern(response), bytes)
}

async function upload({ web }: SoakPlaces): Promise<void> {
  const bytes = randomSize()
  const { response } = await ask(`${web}/up`, 'POST', patternOf(bytes))
  let text = ''
  for await (const chunk of response) text += chunk
  strictEqual(text, String(bytes))
}

async function websocket({ web }: SoakPlaces): Promise<void> {
  const { hostname, port } = new URL(web)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, {
    headers: { host: `${hostname}:${port}` },
  })
  // A failure before 'open' rejects the wait for it; from then on the end of the connection is what tells.
  await once(socket, 'open')
  const gone = new AbortController()
  socket.on('error', () => undefined)
  socket.on('close', () => gone.abort(new Error('the connection ended')))
  for (let count = 0; count < 10; count += 1) {
    const message = randomBytes(randomInt(1, 20 * kib))
    socket.send(message)
    const [answer] = (await once(socket, 'message', { signal: gone.signal })) as [Buffer]
    deepStrictEqual(answer, message)
  }
  const closed = once(socket, 'close')
  if (randomInt(2) === 0) socket.close()
  else socket.terminate()
  await closed
}

async function events({ web }: SoakPlaces): Promise<void> {
  const { request, response } = await ask(`${web}/events`)
  let text = ''
  for await (const chunk of response) {
    text += chunk
    if (text.split('\n\n').length > 4) break
  }
  ok(text.startsWith('data: x\n\n'))
  request.destroy()
}

async function aborted({ web }: SoakPlaces): Promise<void> {
  const { request, response } = await ask(`${web}/endless`)
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > 100 * kib) break
  }
  request.destroy()
}

async function neverReading({ web }: SoakPlaces): Promise<void> {
  const { hostname, port } = new URL(web)
  const socket = net.connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET /endless HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  await stay(5000)
  socket.destroy()
}

async function halfHead({ web }: SoakPlaces): Promise<void> {
  const { port } = new URL(web)
  const socket = net.connect(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: a')
  await stay(200)
  socket.destroy()
}

async function tcp({ tcpPort }: SoakPlaces): Promise<void> {
  const socket = net.connect(tcpPort, '127.0.0.1')
  // Reading it to its end tells of faults; one may follow.
  socket.on('error', () => undefined)
  const bytes = randomInt(1, 512 * kib)
  patternOf(bytes).pipe(socket)
  strictEqual(await countPattern(socket), bytes)
}

async function turnedAway({ web, private: owners }: SoakPlaces): Promise<void> {
  const { port } = new URL(web)
  strictEqual((await visit(`http://nobody-${randomInt(1e9)}.localhost:${port}/`)).status, 404)
  const { status } = await visit(`${owners}/`)
  ok([302, 303, 401, 403].includes(status), `a stranger got ${status}`)
}

/** Every kind of visitor, in the order of their turns. */
export const soakVisitors: Readonly<Record<string, SoakVisitor>> = {
  small,
  kept,
  download,
  websocket,
  aborted,
  events,
  upload,
  tcp,
  neverReading,
  turnedAway,
  halfHead,
}
