import { once } from 'node:events'
import net from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, publish, setUpAdministrator } from './support/account.ts'
import {
  type FaultyDevice,
  look,
  pairDevice,
  waitForLog,
  waitForStatus,
  waitUntilOpen,
} from './support/faults.ts'
import { openEcho, openHttp, openTcp } from './support/flows.ts'
import { type Home, startHome } from './support/home.ts'
import { startLine } from './support/line.ts'
import { freePort, type Homeport, startHomeport, startProgram } from './support/processes.ts'
import { visit } from './support/visitor.ts'

const stuckTarget = fileURLToPath(new URL('support/stuck-target.ts', import.meta.url))

let homeport: Homeport
let account: Account
let home: Home
let device: FaultyDevice

beforeAll(async () => {
  home = await startHome()
  homeport = await startHomeport()
  account = await setUpAdministrator(homeport)
  device = await pairDevice(homeport, account, 'near')
})

afterAll(async () => {
  await homeport?.dispose()
  home?.close()
})

// Both wait long for something real; they wait side by side.
describe.concurrent('silence', () => {
  it('of a line that swallows every byte: both sides notice after 20 s, the device comes back', async ({
    onTestFinished,
  }) => {
    const line = await startLine(homeport.port)
    onTestFinished(line.close)
    const far = await pairDevice(homeport, account, 'far', {
      server: `http://localhost:${line.port}`,
    })
    const { url } = await publish(account, far.id, { name: 'far', target: home.target })
    await waitUntilOpen(url)
    const flow = await openHttp(`${url}/chunked`)
    const echo = await openEcho(url)
    const lostAt = performance.now()
    line.cut()
    // Nobody can know yet: who asks now waits for the device, and is told who is silent.
    expect(await look(url)).toEqual({ status: 504, code: 'device_silent' })
    expect(performance.now() - lostAt).toBeLessThan(15_000)

    expect(await flow.ended).toBe('cut')
    expect(await echo.ended).toBe(1006)
    const silentMs = performance.now() - lostAt
    // The last byte that came was a ping's, at most 10 s before the loss.
    expect(silentMs).toBeGreaterThan(9_000)
    expect(silentMs).toBeLessThan(30_000)
    await waitForLog(homeport, { msg: 'session closed', reason: 'link_silent' })
    await waitForStatus(account, far.id, 'offline')
    expect(await look(url)).toEqual({ status: 503, code: 'device_offline' })
    const notLinked = { msg: 'not linked; dialling again' }
    await waitForLog(far.agent, { ...notLinked, code: 'link_silent' }, { timeoutMs: 15_000 })
    await waitForLog(far.agent, { ...notLinked, code: 'link_lost' })

    line.mend()
    await waitForLog(far.agent, { msg: 'linked' }, { count: 2, timeoutMs: 40_000 })
    await waitForStatus(account, far.id, 'online')
    expect(await look(url)).toEqual({ status: 200, code: null })
  })

  it('of a target: the page names the target, and its next answer is shown', async ({
    onTestFinished,
  }) => {
    const target = startProgram(process.execPath, [stuckTarget])
    // Nothing less ends a process that is stopped.
    onTestFinished(async () => void (await target.stop('SIGKILL')))
    const [, port] = await target.waitFor(/port (\d+)/)
    const { url } = await publish(account, device.id, {
      name: 'stuck',
      target: `http://127.0.0.1:${port}`,
    })
    await waitUntilOpen(url)
    const waiting = look(`${url}/wait`)
    await target.waitFor(/asked to wait/)
    target.child.kill('SIGSTOP')
    const fillers = await fillQueue(Number(port))
    onTestFinished(() => {
      for (const filler of fillers) filler.destroy()
    })
    // The agent gives up after 8 s; the relay would after 10 s, and could only say that the device is silent.
    expect(await look(url)).toEqual({ status: 504, code: 'target_silent' })
    await waitForLog(device.agent, { msg: 'flow refused', code: 'target_timeout' })

    // Who was taken before waits on, and gets the answer when there is one.
    target.child.kill('SIGCONT')
    expect((await waiting).status).toBe(200)
    await waitUntilOpen(url)
  })

  it('of a port: refused at once, and open as soon as somebody listens', async ({
    onTestFinished,
  }) => {
    const port = await freePort()
    const http = { name: 'nobody', target: `http://127.0.0.1:${port}` }
    const tcp = { name: 'nobody-tcp', kind: 'tcp' as const, target: `tcp://127.0.0.1:${port}` }
    const { url } = await publish(account, device.id, http)
    const record = await publish(account, device.id, tcp)
    expect(await look(url)).toEqual({ status: 502, code: 'target_failed' })
    await waitForLog(device.agent, {
      msg: 'flow refused',
      code: 'target_refused',
      detail: 'ECONNREFUSED',
    })
    await expect(openTcp(record.port ?? 0)).rejects.toThrow(/ECONNRESET/)

    const late = net.createServer(socket => {
      socket.on('error', () => socket.destroy())
      socket.end('HTTP/1.0 200 OK\r\n\r\nhere')
    })
    onTestFinished(() => void late.close())
    late.listen(port, '127.0.0.1')
    await once(late, 'listening')
    expect((await visit(url)).body.toString()).toBe('here')
    expect(await (await openTcp(record.port ?? 0)).ended).toBe('whole')
  })
})

/** Connects until the target's kernel takes no more: what it takes beyond is never told so. */
async function fillQueue(port: number): Promise<net.Socket[]> {
  const sockets: net.Socket[] = []
  for (;;) {
    const socket = net.connect({ host: '127.0.0.1', port })
    sockets.push(socket)
    // A connection to this machine takes well below a millisecond; whoever still waits after some turns is not taken.
    for (let turn = 0; turn < 10 && socket.connecting; turn += 1) await setTimeout(50)
    if (socket.connecting) return sockets
    if (sockets.length > 16) throw new Error('the queue has no end')
  }
}
