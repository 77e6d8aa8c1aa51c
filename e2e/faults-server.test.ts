import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getProfile, setUp } from '@homeport/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Account, administrator, openAccount, publish } from './support/account.ts'
import {
  type FaultyDevice,
  look,
  pairDevice,
  readLog,
  waitForLog,
  waitForStatus,
  waitUntilOpen,
} from './support/faults.ts'
import { openEcho, openHttp, openTcp } from './support/flows.ts'
import { type Home, pieces, startHome } from './support/home.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

let homeport: Homeport
let account: Account
let home: Home
let device: FaultyDevice
let url: string
let unopened: string
let port: number
let breakFile: string

const ended = { msg: 'the server ended; starting it again' }
const again = { msg: 'the server runs again' }

beforeAll(async () => {
  home = await startHome()
  const folder = await mkdtemp(join(tmpdir(), 'homeport-e2e-'))
  breakFile = join(folder, 'broken')
  homeport = await startHomeport([], {
    folder,
    env: {
      NODE_OPTIONS: `--import=${new URL('support/break-server.ts', import.meta.url)}`,
      HOMEPORT_TEST_BREAK_SERVER: breakFile,
    },
  })
})

/** The file appears with its content in it: half of it would break the server in another way. */
async function hangServer(): Promise<void> {
  await writeFile(`${breakFile}.part`, 'hang')
  await rename(`${breakFile}.part`, breakFile)
}

async function breakServer(): Promise<void> {
  const before = readLog(homeport).filter(line => line.msg === ended.msg).length
  await writeFile(breakFile, '')
  await waitForLog(homeport, ended, { count: before + 1 })
}

async function mendServer(): Promise<void> {
  const before = readLog(homeport).filter(line => line.msg === again.msg).length
  await rm(breakFile)
  await waitForLog(homeport, again, { count: before + 1, timeoutMs: 40_000 })
}

async function publishAll(): Promise<void> {
  device = await pairDevice(homeport, account, 'lasting')
  url = (await publish(account, device.id, { name: 'lasting', target: home.target })).url
  unopened = (await publish(account, device.id, { name: 'unopened', target: home.target })).url
  const tcp = { name: 'lasting-tcp', kind: 'tcp' as const, target: home.tcpTarget }
  port = (await publish(account, device.id, tcp)).port ?? 0
  await waitUntilOpen(url)
}

afterAll(async () => {
  await homeport?.dispose()
  home?.close()
})

it('a server that dies before there is an administrator tells the new link', async () => {
  const link = /#\/setup\?code=([\w-]+)/
  const [, first = ''] = await homeport.waitFor(link)
  await breakServer()
  await mendServer()
  const [, text = ''] = await homeport.waitFor(/链接已失效([\s\S]*code=.*)\n/)
  const code = link.exec(text)?.[1] ?? ''
  account = await openAccount(homeport.url)
  await expect(
    account.client.call(setUp, { body: { code: first, ...administrator } }),
  ).rejects.toMatchObject({ code: 'setup_code_invalid' })
  await account.client.call(setUp, { body: { code, ...administrator } })
})

it('a server that dies takes no flow with it; it comes back by itself', async () => {
  await publishAll()
  const flows = await Promise.all([
    openHttp(`${url}/sized`),
    openHttp(`${url}/chunked`),
    openTcp(port),
  ])
  const echo = await openEcho(url)
  await breakServer()
  await waitForLog(homeport, { msg: 'control link: down' }, { count: 2 })

  // What runs goes on, and what the relay knows opens again.
  expect(await echo.say('still here')).toBe('still here')
  home.goOn()
  expect(await Promise.all(flows.map(flow => flow.ended))).toEqual(['whole', 'whole', 'whole'])
  for (const flow of flows) expect(flow.text()).toBe(pieces.first + pieces.second)
  expect(await look(url)).toEqual({ status: 200, code: null })
  const late = await openTcp(port)
  home.goOn()
  expect(await late.ended).toBe('whole')

  // What only the server knows says so.
  expect(await look(unopened)).toEqual({ status: 503, code: 'unavailable' })
  expect(await look(homeport.url)).toEqual({ status: 503, code: 'unavailable' })
  await expect(account.client.call(getProfile, {})).rejects.toMatchObject({
    code: 'unavailable',
  })

  // A device that starts now is let in from memory as well.
  device.agent.child.kill('SIGKILL')
  device.agent = device.restart()
  await device.agent.waitFor(/"linked"/)
  await waitUntilOpen(url)
  expect(await echo.ended).toBe(1006)

  await waitForLog(homeport, { msg: 'the server did not start again' })
  await mendServer()
  await waitForLog(homeport, { msg: 'control link: up' }, { count: 3 })
  await waitForStatus(account, device.id, 'online')
  expect((await look(homeport.url)).status).toBe(200)
  expect((await look(unopened)).status).toBe(200)
  const { url: fresh } = await publish(account, device.id, { name: 'fresh', target: home.target })
  await waitUntilOpen(fresh)
})

it('a server that hangs takes no flow with it, is ended after a minute, and comes back by itself', async () => {
  const [flow, tcp] = await Promise.all([openHttp(`${url}/sized`), openTcp(port)])
  const echo = await openEcho(url)
  const startedAt = performance.now()
  const endedBefore = readLog(homeport).filter(line => line.msg === ended.msg).length
  const againBefore = readLog(homeport).filter(line => line.msg === again.msg).length
  await hangServer()
  // Who asks before it is known waits for the answer; the connection ends with the thread.
  const early = look(homeport.url)
  await waitForLog(
    homeport,
    { msg: 'the server does not answer; it is ended if it hangs for a minute' },
    { timeoutMs: 30_000 },
  )

  // While it lasts: what runs goes on, what the relay knows opens, and nobody waits for what only the server knows.
  expect(await echo.say('still here')).toBe('still here')
  expect(await look(url)).toEqual({ status: 200, code: null })
  const askedAt = performance.now()
  expect(await look(homeport.url)).toEqual({ status: 503, code: 'unavailable' })
  await expect(account.client.call(getProfile, {})).rejects.toMatchObject({ code: 'unavailable' })
  const strange = new URL(url)
  strange.hostname = `never-heard-of.${strange.hostname.split('.').slice(1).join('.')}`
  expect(await look(strange.href)).toEqual({ status: 503, code: 'unavailable' })
  expect(performance.now() - askedAt).toBeLessThan(10_000)

  await rm(breakFile)
  const [line] = (
    await waitForLog(homeport, ended, { count: endedBefore + 1, timeoutMs: 90_000 })
  ).slice(-1)
  expect(line?.err).toMatchObject({
    message: expect.stringContaining('did not answer for a minute'),
  })
  expect(performance.now() - startedAt).toBeGreaterThan(60_000)
  expect(await early).toEqual({ status: 503, code: 'unavailable' })
  await waitForLog(homeport, again, { count: againBefore + 1, timeoutMs: 30_000 })

  home.goOn()
  expect(await Promise.all([flow.ended, tcp.ended])).toEqual(['whole', 'whole'])
  expect(await echo.say('and again')).toBe('and again')
  await waitForStatus(account, device.id, 'online')
  expect((await look(homeport.url)).status).toBe(200)
  const { url: later } = await publish(account, device.id, { name: 'later', target: home.target })
  await waitUntilOpen(later)
}, 180_000)
