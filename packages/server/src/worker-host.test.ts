import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { createPortChannel, createRelayPeer } from '@homeport/contract/control'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ServerSettings } from './config.ts'
import { startServerWorker } from './worker-host.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'homeport-worker-'))
})
afterEach(() => rm(folder, { recursive: true }))

const settings = (): ServerSettings => ({
  listen: { path: path.join(folder, 'server.sock') },
  consoleUrl: 'http://localhost:8080',
  tunnelDomain: 'localhost',
  extraConsoleHosts: 'none',
  mode: 'development',
  billing: true,
  signup: 'off',
  sms: { way: 'off' },
  tcpPorts: { from: 20_000, to: 20_999 },
  dataFolder: folder,
  secretKey: Buffer.alloc(32, 3),
  version: '0.1.0',
})

const ask = (socketPath: string, target: string) =>
  new Promise<number>((resolve, reject) => {
    request({ socketPath, path: target, agent: false }, response => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .once('error', reject)
      .end()
  })

it('serves from a thread, answers the relay over its port, and stops in order', async () => {
  const { port1, port2 } = new MessageChannel()
  const worker = await startServerWorker(settings(), {
    logLevel: 'silent',
    relay: port2,
    demo: null,
    onDemo: () => {},
    onSilent: () => {},
  })
  expect(worker.setupLink).toMatch(/#\/setup\?code=/)
  const socket = path.join(folder, 'server.sock')
  expect(await ask(socket, '/readyz')).toBe(200)
  const relay = createRelayPeer(
    createPortChannel(port1),
    {
      probe: () => [],
      routes_changed: () => {},
      device_revoked: () => {},
      console_session_ended: () => {},
    },
    ({ cause }) => {
      throw cause
    },
  )
  const hello = await relay.request('hello', { relay: 'test', version: '0.1.0', sessions: [] })
  expect(hello).toMatchObject({ console_url: 'http://localhost:8080', ended_sessions: [] })
  await Promise.all([worker.stop(), worker.stop()])
  expect(await worker.ended).toBeNull()
  await relay.closed
  expect(existsSync(socket)).toBe(false)
})

it('says why it cannot start', async () => {
  const blocked = path.join(folder, 'file')
  await writeFile(blocked, '')
  const { port1, port2 } = new MessageChannel()
  const start = startServerWorker(
    { ...settings(), dataFolder: blocked },
    { logLevel: 'silent', relay: port2, demo: null, onDemo: () => {}, onSilent: () => {} },
  )
  await expect(start).rejects.toThrow(/not a directory/)
  port1.close()
})
