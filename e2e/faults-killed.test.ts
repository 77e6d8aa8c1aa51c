import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Account, publish, setUpAdministrator, signIn } from './support/account.ts'
import {
  type FaultyDevice,
  look,
  pairDevice,
  waitForLog,
  waitForStatus,
  waitUntilOpen,
} from './support/faults.ts'
import { openEcho, openHttp, openTcp, openUntilClose } from './support/flows.ts'
import { type Home, pieces, startHome } from './support/home.ts'
import { type Homeport, startHomeport } from './support/processes.ts'
import { visit } from './support/visitor.ts'

let homeport: Homeport
let account: Account
let home: Home
let device: FaultyDevice
let url: string
let port: number

beforeAll(async () => {
  home = await startHome()
  homeport = await startHomeport()
  account = await setUpAdministrator(homeport)
  device = await pairDevice(homeport, account, 'killed')
  url = (await publish(account, device.id, { name: 'killed', target: home.target })).url
  const tcp = { name: 'killed-tcp', kind: 'tcp' as const, target: home.tcpTarget }
  port = (await publish(account, device.id, tcp)).port ?? 0
  await waitUntilOpen(url)
})

afterAll(async () => {
  // It outlives the deployment that started it.
  await device?.agent.stop()
  await homeport?.dispose()
  home?.close()
})

const openAll = async () => ({
  flows: await Promise.all([
    openHttp(`${url}/sized`),
    openHttp(`${url}/chunked`),
    openUntilClose(`${url}/until-close`),
    openTcp(port),
  ]),
  echo: await openEcho(url),
})

type Running = Awaited<ReturnType<typeof openAll>>

/** Nobody waits for the rest; gives how each of them looks to its visitor. */
async function waitForEnds({ flows, echo }: Running): Promise<string[]> {
  const ends = await Promise.all(flows.map(flow => flow.ended))
  expect(await echo.ended).toBe(1006)
  for (const flow of flows) expect(flow.text().endsWith(pieces.first)).toBe(true)
  return ends
}

it('ends flows that nobody kills as a whole', async () => {
  const { flows, echo } = await openAll()
  home.goOn()
  expect(await Promise.all(flows.map(flow => flow.ended))).toEqual(flows.map(() => 'whole'))
  for (const flow of flows) expect(flow.text().endsWith(pieces.first + pieces.second)).toBe(true)
  expect(await echo.say('still here')).toBe('still here')
  echo.close()
})

it('an agent that is killed: visitors are cut, the page says offline, the next start is enough', async () => {
  const running = await openAll()
  const unanswered = look(`${url}/silent`)
  await vi.waitFor(() => expect(home.waiting()).toBe(5))
  device.agent.child.kill('SIGKILL')
  expect(await waitForEnds(running)).toEqual(['cut', 'cut', 'cut', 'cut'])
  expect(await unanswered).toEqual({ status: 503, code: 'device_offline' })
  expect(await look(url)).toEqual({ status: 503, code: 'device_offline' })
  const answer = await visit(url)
  expect(answer.headers['retry-after']).toBe('5')
  expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'device_offline' })
  await expect(openTcp(port)).rejects.toThrow(/ECONNRESET/)
  await waitForStatus(account, device.id, 'offline')
  await waitForLog(homeport, { msg: 'session closed', reason: 'link_lost' })

  device.agent = device.restart()
  await device.agent.waitFor(/"linked"/)
  await waitForStatus(account, device.id, 'online', 2000)
  expect((await look(url)).status).toBe(200)
  const flow = await openTcp(port)
  home.goOn()
  expect(await flow.ended).toBe('whole')
})

it('a relay that is killed: visitors are cut, agents come back by themselves', async () => {
  const { agent } = device
  const running = await openAll()
  await homeport.stop('SIGKILL')
  // The last two end with their connection, and a process that is killed ends its connections in order: on a plain
  // one nothing tells that more was to come. Over TLS the close_notify is missing.
  expect((await waitForEnds(running)).slice(0, 2)).toEqual(['cut', 'cut'])
  await expect(visit(url)).rejects.toThrow(/ECONNREFUSED/)
  const tries = await waitForLog(agent, { msg: 'not linked; dialling again' }, { count: 3 })
  expect(tries.slice(0, 3).map(line => line.code)).toEqual([
    'link_lost',
    'link_unreachable',
    'link_unreachable',
  ])
  // Each pause is random within the upper half of a bound that doubles.
  for (const [n, { delayMs }] of tries.slice(0, 3).entries()) {
    expect(delayMs).toBeGreaterThanOrEqual(250 * 2 ** n)
    expect(delayMs).toBeLessThanOrEqual(500 * 2 ** n)
  }

  const { folder } = homeport
  homeport = await startHomeport([], { folder, port: homeport.port })
  // A start that takes long finds the agent at a longer pause, 30 s at most.
  await waitForLog(agent, { msg: 'linked' }, { count: 2, timeoutMs: 40_000 })
  account = await signIn(homeport)
  await waitForStatus(account, device.id, 'online')
  expect((await look(url)).status).toBe(200)
  const flow = await openTcp(port)
  home.goOn()
  expect(await flow.ended).toBe('whole')
})
