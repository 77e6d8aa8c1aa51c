import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { admin, createTestBrowser, type TestBrowser } from './testing.ts'

const rounds = 5
const writersPerRound = 4
const consoleUrl = 'http://localhost:8080'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'homeport-kill-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A server in a process of its own, which nothing but a signal ends. */
async function startProcess(): Promise<{ child: ChildProcess; browser: TestBrowser }> {
  const settings = {
    listen: { path: path.join(folder, 'server.sock') },
    consoleUrl,
    tunnelDomain: 'localhost',
    extraConsoleHosts: 'none',
    mode: 'development',
    billing: true,
    signup: 'off',
    sms: { way: 'off' },
    tcpPorts: { from: 20_000, to: 20_999 },
    dataFolder: folder,
    adminPassword: admin.password,
    version: '0.1.0',
    limits: { callBurst: 1_000_000 },
  }
  const source = `
    import { rmSync } from 'node:fs'
    import { createLogger, systemClock } from '@homeport/runtime'
    import { createServer } from ${JSON.stringify(new URL('./server.ts', import.meta.url).href)}
    const settings = ${JSON.stringify(settings)}
    rmSync(settings.listen.path, { force: true })
    const logger = createLogger({ level: 'silent', name: 'server' })
    const server = await createServer({ ...settings, secretKey: Buffer.alloc(32, 5), clock: systemClock, logger })
    await server.start()
    console.log('ready')
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  expect(line).toBe('ready')
  const browser = createTestBrowser({ listen: settings.listen, consoleUrl }, {})
  await browser.get('/api/login_status/')
  expect((await browser.post('/custom/login/', admin)).status).toBe(200)
  return { child, browser }
}

async function readTitles(browser: TestBrowser): Promise<Set<string>> {
  const list = (await browser.get('/api/announcement/announcements/')).json()
  return new Set(list.map(({ title }: { title: string }) => title))
}

it(`loses nothing that was acknowledged in ${rounds} rounds of kill -9 during writes`, async () => {
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { child, browser } = await startProcess()
    const exited = once(child, 'exit')
    const killAt = acknowledged.length + randomInt(20, 60)

    const write = async (writer: number) => {
      for (let n = 0; ; n += 1) {
        const title = `${round}-${writer}-${n}`
        const answer = await browser.post('/api/admin/announcements/', { title, detail: 'd' })
        if (answer.status !== 201) throw new Error(`not written: ${answer.text}`)
        acknowledged.push(title)
        if (acknowledged.length === killAt) child.kill('SIGKILL')
      }
    }
    const ends = await Promise.allSettled(
      Array.from({ length: writersPerRound }, (_, n) => write(n)),
    )
    // Every writer was cut off by the kill; none was refused.
    for (const end of ends) expect(end).toMatchObject({ reason: { code: /ECONN|EPIPE|ENOENT/ } })
    await exited
  }

  const { child, browser } = await startProcess()
  const found = await readTitles(browser)
  expect(acknowledged.filter(title => !found.has(title))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(rounds * 19)
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}, 60_000)
