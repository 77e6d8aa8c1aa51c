// A server as a process of its own, on a TCP port and without a relay before it. It tells its port, answers `report` with what it uses and
// `count` with how many long polls wait, and ends in order at `stop`.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, createLogger, systemClock, type Timer } from '@homeport/runtime'
import { createServer } from '@homeport/server'
import { watchMemory } from './memory-peak.ts'

/** What a poll of the test asks for, in ms; nothing else of the server waits exactly as long. */
const pollMs = 29_000
let polls = 0

/** The machine's clock, which counts the polls by their timers. */
const clock: Clock = {
  ...systemClock,
  setTimeout(run, delayMs): Timer {
    if (delayMs !== pollMs) return systemClock.setTimeout(run, delayMs)
    polls += 1
    let isOver = false
    const end = () => {
      if (!isOver) polls -= 1
      isOver = true
    }
    const timer = systemClock.setTimeout(() => {
      end()
      run()
    }, delayMs)
    return {
      cancel() {
        end()
        timer.cancel()
      },
    }
  },
}

async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-server-'))
  const server = await createServer({
    listen: { host: '127.0.0.1', port: 0 },
    consoleUrl: 'http://localhost',
    extraConsoleHosts: 'none',
    tunnelDomain: 'localhost',
    mode: 'development',
    billing: false,
    signup: 'invite',
    sms: { way: 'off' },
    tcpPorts: { from: 20_000, to: 20_999 },
    dataFolder: folder,
    secretKey: randomBytes(32),
    version: '0.0.0-test',
    clock,
    logger: createLogger({ level: 'silent', name: 'server' }),
  })
  await server.start()
  const watch = watchMemory()
  const tell = (message: unknown) => process.send?.(message)
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
    process.exit()
  }
  process.on('message', order => {
    if (order === 'report') tell(watch({ collects: true }))
    if (order === 'count') tell(polls)
    if (order === 'stop') void stop()
  })
  tell(server.port())
}

await run()
