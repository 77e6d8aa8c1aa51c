import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { listRouters, signToken } from '@homeport/contract'
import { vi } from 'vitest'
import type { Account } from './account.ts'
import type { Homeport, Program } from './processes.ts'
import { visit } from './visitor.ts'

/** One line of a program's log. */
export type LogLine = Record<string, unknown> & { msg: string }

/** Every line that a program has logged so far. */
export function readLog(program: Program): LogLine[] {
  return program
    .output()
    .split('\n')
    .filter(line => line.startsWith('{') && line.endsWith('}'))
    .map(line => JSON.parse(line))
}

/** Waits until so many lines of the log hold these fields, and gives them. */
export function waitForLog(
  program: Program,
  fields: Partial<LogLine>,
  { count = 1, timeoutMs = 10_000 } = {},
): Promise<LogLine[]> {
  return vi.waitFor(
    () => {
      const wanted = Object.entries(fields)
      const found = readLog(program).filter(line => wanted.every(([key, it]) => line[key] === it))
      if (found.length >= count) return found
      throw new Error(
        `${JSON.stringify(fields)} was not logged ${count} times:\n${program.output()}`,
      )
    },
    { timeout: timeoutMs, interval: 20 },
  )
}

/** A device and the program that makes it one. */
export interface FaultyDevice {
  id: number
  /** The agent's data folder: its identity. */
  data: string
  agent: Program
  /** Starts the agent again with the same identity. */
  restart(): Program
}

/** How the agent of a device is started. */
export interface DeviceOptions {
  /** Another way to the relay than its own address. */
  server?: string
  env?: NodeJS.ProcessEnv
}

/** Pairs an agent whose data folder outlives it, and waits until the console shows the device online. */
export async function pairDevice(
  homeport: Homeport,
  account: Account,
  name: string,
  { server = homeport.url, env }: DeviceOptions = {},
): Promise<FaultyDevice> {
  const data = await mkdtemp(join(homeport.folder, 'device-'))
  const { token } = await account.client.call(signToken, {})
  const start = (...args: string[]) =>
    homeport.startAgent(['--server', server, ...args], { data, ...(env && { env }) })
  const agent = start('--token', token, '--name', name)
  await agent.waitFor(/"linked"/)
  const page = await account.client.call(listRouters, { query: { search: name } })
  const id = page.results[0]?.id
  if (id === undefined) throw new Error(`${name} was not paired`)
  await waitForStatus(account, id, 'online')
  return { id, data, agent, restart: start }
}

/** Waits until the console shows a device so; fails after `timeoutMs`. */
export function waitForStatus(
  account: Account,
  id: number,
  status: 'online' | 'offline',
  timeoutMs = 10_000,
): Promise<void> {
  return vi.waitFor(
    async () => {
      const { results } = await account.client.call(listRouters, { query: { id } })
      if (results[0]?.status !== status) throw new Error(`the device is not ${status}`)
    },
    { timeout: timeoutMs, interval: 20 },
  )
}

/** What a browser is shown: the status, and the code of the relay's own page (null for any other page). */
export async function look(url: string): Promise<{ status: number; code: string | null }> {
  const headers = { accept: 'text/html', 'accept-language': 'en' }
  const { status, body } = await visit(url, { headers })
  return { status, code: /<dt>Code<\/dt><dd>(\w+)<\/dd>/.exec(body.toString())?.[1] ?? null }
}

/** Waits until a public name shows the home's page again. */
export async function waitUntilOpen(url: string, timeoutMs = 5000): Promise<void> {
  await vi.waitFor(
    async () => {
      const { status } = await look(url)
      if (status !== 200) throw new Error(`${url} answers ${status}`)
    },
    { timeout: timeoutMs, interval: 20 },
  )
}
