import { cp, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, publish, setUpAdministrator } from './support/account.ts'
import {
  type LogLine,
  look,
  pairDevice,
  readLog,
  waitForLog,
  waitForStatus,
} from './support/faults.ts'
import { openEcho } from './support/flows.ts'
import { type Home, startHome } from './support/home.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

let homeport: Homeport
let account: Account
let home: Home

const wrongBy = (years: number) => ({
  NODE_OPTIONS: `--import=${new URL('support/shift-clock.ts', import.meta.url)}`,
  HOMEPORT_TEST_CLOCK_SHIFT_DAYS: String(years * 365),
})

beforeAll(async () => {
  home = await startHome()
  homeport = await startHomeport([], { env: wrongBy(10) })
  account = await setUpAdministrator(homeport)
})

afterAll(async () => {
  await homeport?.dispose()
  home?.close()
})

const yearOf = (line: LogLine | undefined) => new Date(Number(line?.time)).getUTCFullYear()

describe('clocks that are wrong by years', () => {
  it.each([-50, 30])(
    'an agent off by %i years at a server off by 10: pairing, link, flows and status work',
    async years => {
      const name = `clock${years + 50}`
      const device = await pairDevice(homeport, account, name, { env: wrongBy(years) })
      const thisYear = new Date().getUTCFullYear()
      const [relay] = await waitForLog(homeport, { msg: 'session opened' })
      const [agent] = await waitForLog(device.agent, { msg: 'linked' })
      expect(Math.abs(yearOf(relay) - thisYear - 10)).toBeLessThanOrEqual(1)
      expect(Math.abs(yearOf(agent) - thisYear - years)).toBeLessThanOrEqual(1)
      const { url } = await publish(account, device.id, { name, target: home.target })
      expect(await look(url)).toEqual({ status: 200, code: null })
      const echo = await openEcho(url)
      expect(await echo.say('in time')).toBe('in time')
      echo.close()
      await device.agent.stop()
      await waitForStatus(account, device.id, 'offline')
    },
  )
})

describe('one disk image on two devices', () => {
  it('the newer one stays, both sides tell, and neither throws the other out again', async () => {
    const data = await mkdtemp(join(homeport.folder, 'copy-'))
    const first = await pairDevice(homeport, account, 'copied')
    const { url } = await publish(account, first.id, { name: 'copied', target: home.target })
    await cp(first.data, data, { recursive: true })
    const second = homeport.startAgent(['--server', homeport.url], { data })
    await second.waitFor(/"linked"/)

    const told = { msg: 'another machine took the place with a copy of this data folder' }
    const [line] = await waitForLog(first.agent, told)
    expect(line).toMatchObject({ code: 'session_replaced', level: 50, delayMs: 60_000 })
    const msg = 'a newer agent with the same device key took the place'
    const [warning] = await waitForLog(homeport, { msg })
    const opened = () =>
      readLog(homeport)
        .filter(each => each.msg === 'session opened' && each.device === warning?.device)
        .map(each => each.session)
    await expect.poll(opened).toEqual([warning?.replaced, warning?.session])
    await waitForStatus(account, first.id, 'online')
    expect((await look(url)).status).toBe(200)

    // The place is free again once the newer one leaves; until then nobody knocked at it.
    await second.stop()
    expect(readLog(second).filter(each => each.msg === 'not linked; dialling again')).toEqual([])
    expect(readLog(homeport).filter(each => each.msg === msg)).toHaveLength(1)
    await waitForStatus(account, first.id, 'offline')
    first.agent.child.kill('SIGKILL')
    await first.restart().waitFor(/"linked"/)
    expect((await look(url)).status).toBe(200)
  })
})
