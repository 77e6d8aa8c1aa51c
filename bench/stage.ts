import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { descendantsOf } from './processes.ts'

/** Where a run keeps its files and processes; both go when this process ends, whatever ends it but SIGKILL. */
export interface Stage {
  /** A temporary folder of this run. */
  readonly folder: string
  /** Starts a program that stays; what it prints to stderr is kept for the message of a start that failed. */
  start(file: string, args: readonly string[]): Child
  /** Starts a Node program of ours with a channel for messages. */
  startNode(file: string, ...args: readonly string[]): Child
  /** Has something done at the end, also where the end is a signal: it must not be asynchronous. */
  atEnd(work: () => void): void
  /** Ends all programs, waits until they are gone, and removes the folder. */
  end(): Promise<void>
}

/** A program that stays until the run ends. */
export interface Child {
  readonly pid: number
  readonly process: ChildProcess
  /** The last of what it printed to stderr. */
  complaint(): string
}

const startMs = 15_000
const complaintLimit = 2_000

/** Makes the stage of this run. Call it once. */
export function createStage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
  // Tried again, because a program that was just killed may still be writing its last file.
  const works = [() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })]
  const children: ChildProcess[] = []
  const finish = (): void => {
    for (const { pid } of children.filter(isRunning)) if (pid !== undefined) killTree(pid)
    for (const work of works.splice(0).toReversed()) work()
  }
  process.on('exit', finish)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(1))
  }

  function keep(child: ChildProcess): Child {
    const { pid } = child
    if (pid === undefined) throw new Error(`${child.spawnfile} did not start`)
    let complaint = ''
    child.stderr?.on('data', chunk => {
      complaint = (complaint + chunk).slice(-complaintLimit)
    })
    children.push(child)
    return { pid, process: child, complaint: () => complaint.trim() }
  }

  // As scripts/launch.mjs starts relay and agent.
  const nodeOptions = ['--expose-gc']
  const options: SpawnOptions = { stdio: ['ignore', 'ignore', 'pipe'] }
  return {
    folder,
    start: (file, args) => keep(spawn(file, args, options).on('error', () => undefined)),
    startNode: (file, ...args) =>
      keep(
        fork(file, args, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'], execArgv: nodeOptions }),
      ),
    atEnd: work => works.push(work),
    async end() {
      const running = children.filter(isRunning)
      const gone = running.map(child => once(child, 'exit'))
      for (const { pid } of running) if (pid !== undefined) killTree(pid)
      await Promise.all(gone)
      finish()
    },
  }
}

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null

/** Kills a process and all below it: sshd has a process for each connection that outlives its parent. */
function killTree(pid: number): void {
  for (const each of [...descendantsOf(pid), pid]) {
    try {
      process.kill(each, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** Waits until something takes connections on this port. Rejects where the program ends before or after 15 s. */
export async function untilListening(port: number, child: Child): Promise<void> {
  const until = performance.now() + startMs
  while (!(await isListening(port))) {
    const isGone = !isRunning(child.process)
    if (isGone || performance.now() > until) {
      const what = isGone ? 'ended' : `does not listen after ${startMs / 1000} s`
      throw new Error(
        `${child.process.spawnfile} ${what}: ${child.complaint() || 'it said nothing'}`,
      )
    }
    await delay(20)
  }
}

/** The next message of a Node program of ours. Rejects where it ends before. */
export async function nextMessage(child: Child): Promise<unknown> {
  const gone = new AbortController()
  const ended = once(child.process, 'exit', { signal: gone.signal }).then(() => {
    throw new Error(`${child.process.spawnargs.at(1)} ended: ${child.complaint()}`)
  })
  try {
    const [message] = await Promise.race([
      once(child.process, 'message', { signal: gone.signal }),
      ended,
    ])
    return message
  } finally {
    gone.abort()
    ended.catch(() => undefined) // it only lost the race
  }
}

const isListening = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect({ host: '127.0.0.1', port })
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })

const given = new Set<number>()

/** A port that is free now and was not given before. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  if (given.has(port)) return findFreePort()
  given.add(port)
  return port
}
