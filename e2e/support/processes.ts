import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noteProgram } from './evidence.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/** A program that runs: what it printed so far, and a way to wait for more. */
export interface Program {
  child: ChildProcess
  /** Everything it printed to both outputs. */
  output(): string
  /** Waits for the pattern in the output; fails with the output when the program ends first or time runs out. */
  waitFor(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>
  /** Ends it and waits until it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Ends it with SIGKILL, and with it all that it started where it leads a group of processes. */
  kill(): void
}

/** How a program is started. */
export interface ProgramOptions {
  env?: NodeJS.ProcessEnv
  /** It leads a group: a wrapper such as npm can then be killed with all that it started, as when the power fails. */
  leadsGroup?: boolean
}

/** Starts a program with both outputs kept (the last 1 MiB). */
export function startProgram(
  command: string,
  args: readonly string[],
  { env = process.env, leadsGroup = false }: ProgramOptions = {},
): Program {
  const stdio = ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe']
  const child = spawn(command, args, { env, stdio, detached: leadsGroup })
  let isGone = false
  const send = (signal: NodeJS.Signals) => {
    if (isGone || child.pid === undefined) return
    if (!leadsGroup) child.kill(signal)
    else
      try {
        // The group outlives its leader: a wrapper that was ended may leave behind what it started.
        process.kill(-child.pid, signal)
      } catch (error) {
        // All of it may have ended by itself.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
  }
  const kill = () => send('SIGKILL')
  // A group of its own does not end with this process's terminal.
  if (leadsGroup) process.once('exit', kill)
  let text = ''
  const listeners = new Set<() => void>()
  const collect = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-1024 * 1024)
    for (const listener of listeners) listener()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const gone = once(child, 'close').then(() => {
    isGone = true
    process.off('exit', kill)
    for (const listener of listeners) listener()
  })
  noteProgram({ child, output: () => text })
  return {
    child,
    output: () => text,
    waitFor: (pattern, timeoutMs = 30_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => finish(null), timeoutMs)
        const look = () => {
          const match = pattern.exec(text)
          if (match !== null) finish(match)
          else if (child.exitCode !== null || child.signalCode !== null) finish(null)
        }
        function finish(match: RegExpExecArray | null) {
          clearTimeout(timer)
          listeners.delete(look)
          if (match !== null) resolve(match)
          else
            reject(new Error(`${pattern} did not come from ${command} ${args.join(' ')}:\n${text}`))
        }
        listeners.add(look)
        look()
      }),
    stop: async (signal = 'SIGTERM') => {
      send(signal)
      await gone
      return child.exitCode
    },
    kill,
  }
}

/** A port nothing listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A running `homeport up` with its own data folder. */
export interface Homeport extends Program {
  url: string
  port: number
  folder: string
  /** Starts an agent with a data folder of its own, or the given one; `env` is added to this process's. */
  startAgent(args: readonly string[], options?: { data?: string; env?: NodeJS.ProcessEnv }): Program
  /** Ends all agents that were started here. */
  stopAgents(): Promise<void>
  /** Ends everything and removes the folder. */
  dispose(): Promise<void>
}

/** Where and how a deployment is started. */
export interface HomeportOptions {
  folder?: string
  port?: number
  /** Added to the environment of the deployment and of its agents. */
  env?: NodeJS.ProcessEnv
  /** Starts it with `npm start`, as a user does; the process to be killed is then the whole group. */
  throughNpm?: boolean
}

/** Starts `homeport up` on a free loopback port and waits until it is ready. */
export async function startHomeport(
  args: readonly string[] = [],
  options: HomeportOptions = {},
): Promise<Homeport> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'homeport-e2e-')))
  const port = options.port ?? (await freePort())
  const env = { ...process.env, ...options.env }
  const data = join(folder, 'data')
  const flags = ['--port', String(port), '--data', data, ...args]
  const program =
    options.throughNpm === true
      ? startProgram('npm', ['start', '--prefix', root, '--', ...flags], { env, leadsGroup: true })
      : startProgram(process.execPath, [main, 'up', ...flags], { env })
  const agents: Program[] = []
  let agentCount = 0
  await program.waitFor(/ready|已就绪/)
  return {
    ...program,
    url: `http://localhost:${port}`,
    port,
    folder,
    startAgent: (agentArgs, { data = join(folder, `agent-${agentCount++}`), ...own } = {}) => {
      const command = [main, 'agent', '--data', data, ...agentArgs]
      const agent = startProgram(process.execPath, command, { env: { ...env, ...own.env } })
      agents.push(agent)
      return agent
    },
    stopAgents: async () => {
      await Promise.all(agents.splice(0).map(agent => agent.stop()))
    },
    dispose: async () => {
      await Promise.all(agents.map(agent => agent.stop()))
      await program.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
