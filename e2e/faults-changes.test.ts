import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { deleteRecord, patchRecord } from '@homeport/contract'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Account, publish, setUpAdministrator } from './support/account.ts'
import { look, pairDevice, waitUntilOpen } from './support/faults.ts'
import { openEcho } from './support/flows.ts'
import { type Home, startHome } from './support/home.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

/** A piece of a transfer; each change of a record comes between two of them. */
const pieceBytes = 2 * 1024 * 1024

let homeport: Homeport
let account: Account
let home: Home
let pages: Server
let elsewhere: Server
/** The answer that is under way at each path of the target. */
const answers = new Map<string, ServerResponse>()

beforeAll(async () => {
  home = await startHome()
  pages = http.createServer((request, response) => {
    answers.set(request.url ?? '', response)
    if (request.url === '/events') response.setHeader('content-type', 'text/event-stream')
    if (request.url !== '/upload') return response.flushHeaders()
    const hash = createHash('sha256')
    request.on('data', chunk => hash.update(chunk))
    request.on('end', () => response.end(hash.digest('hex')))
  })
  elsewhere = http.createServer((_, response) => response.end('elsewhere'))
  for (const server of [pages, elsewhere]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  homeport = await startHomeport()
  account = await setUpAdministrator(homeport)
})

afterAll(async () => {
  await homeport?.dispose()
  home?.close()
  for (const server of [pages, elsewhere]) {
    server?.closeAllConnections()
    server?.close()
  }
})

const targetOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

function ask(url: string, path: string, method = 'GET') {
  const { hostname, port } = new URL(url)
  const headers = { host: `${hostname}:${port}` }
  return http.request({ host: '127.0.0.1', port, path, method, headers, agent: false })
}

async function answerTo(request: http.ClientRequest): Promise<IncomingMessage> {
  const answer = once(request, 'response')
  request.end()
  return (await answer)[0] as IncomingMessage
}

/** Changes take effect at the relay in less than a second; how fast is not what is asked here. */
const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 5000, interval: 10 })

it('adding, changing and removing records disturbs no flow that runs', async () => {
  const device = await pairDevice(homeport, account, 'changing')
  const { url } = await publish(account, device.id, { name: 'steady', target: targetOf(pages) })
  const changed = await publish(account, device.id, { name: 'changed', target: home.target })
  await waitUntilOpen(changed.url)

  // What runs: a download and an upload in pieces, an event stream, a WebSocket.
  const received = createHash('sha256')
  const sent = createHash('sha256')
  const download = await answerTo(ask(url, '/download'))
  let downloaded = 0
  download.on('data', (chunk: Buffer) => {
    downloaded += chunk.length
    received.update(chunk)
  })
  const upload = ask(url, '/upload', 'POST')
  const uploadAnswer = once(upload, 'response')
  const uploaded = createHash('sha256')
  const events = await answerTo(ask(url, '/events'))
  const echo = await openEcho(
    (await publish(account, device.id, { name: 'echo', target: home.target })).url,
  )

  let pieces = 0
  async function carryOn(): Promise<void> {
    pieces += 1
    const piece = randomBytes(pieceBytes)
    sent.update(piece)
    answers.get('/download')?.write(piece)
    uploaded.update(piece)
    upload.write(piece)
    const event = once(events, 'data')
    answers.get('/events')?.write(`data: ${pieces}\n\n`)
    expect(String((await event)[0])).toContain(`data: ${pieces}\n\n`)
    expect(await echo.say(`piece ${pieces}`)).toBe(`piece ${pieces}`)
    await vi.waitFor(() => expect(downloaded).toBe(pieces * pieceBytes), { timeout: 10_000 })
  }
  const change = (body: object) =>
    account.client.call(patchRecord, { params: { id: changed.id }, body })

  await carryOn()
  const added = await publish(account, device.id, { name: 'added', target: home.target })
  await soon(async () => expect((await look(added.url)).status).toBe(200))
  await carryOn()
  await change({ target: targetOf(elsewhere) })
  await soon(async () => expect(await bodyOf(changed.url)).toBe('elsewhere'))
  await carryOn()
  await change({ enabled: false })
  await soon(async () => expect((await look(changed.url)).status).toBe(302))
  await carryOn()
  await account.client.call(deleteRecord, { params: { id: added.id } })
  await soon(async () => expect((await look(added.url)).status).toBe(302))
  await carryOn()
  const second = await pairDevice(homeport, account, 'another')
  const far = await publish(account, second.id, { name: 'far', target: home.target })
  await soon(async () => expect((await look(far.url)).status).toBe(200))
  await carryOn()

  answers.get('/download')?.end()
  await once(download, 'end')
  expect(download.complete).toBe(true)
  expect(received.digest('hex')).toBe(sent.digest('hex'))
  upload.end()
  const [answer] = (await uploadAnswer) as [IncomingMessage]
  expect(await text(answer)).toBe(uploaded.digest('hex'))
  echo.close()
  events.destroy()
}, 60_000)

async function bodyOf(url: string): Promise<string> {
  return text(await answerTo(ask(url, '/')))
}
