import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createServerSocket } from './server-socket.ts'

let parent: string
const stops: (() => unknown)[] = []

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'hp-'))
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await rm(parent, { recursive: true })
})

/** Another process that listens where `createServerSocket` says. */
async function startOther() {
  const source = `
    import { createServer } from 'node:net'
    import { createServerSocket } from ${JSON.stringify(new URL('./server-socket.ts', import.meta.url).href)}
    const { path } = await createServerSocket(${JSON.stringify(parent)})
    createServer().listen(path, () => console.log(path))
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(child, 'exit')
  const kill = () => {
    child.kill('SIGKILL')
    return gone
  }
  stops.push(kill)
  const [path] = await once(createInterface(child.stdout), 'line')
  return { name: basename(dirname(path)), kill }
}

it('removes its own folder', async () => {
  const socket = await createServerSocket(parent)
  await socket.remove()
  expect(await readdir(parent)).toEqual([])
})

it('removes what a killed process left, and nothing of one that runs', async () => {
  const [killed, running] = await Promise.all([startOther(), startOther()])
  await killed.kill()
  expect(await readdir(parent)).toContain(killed.name)
  const own = await createServerSocket(parent)
  const kept = [running.name, basename(dirname(own.path))]
  expect((await readdir(parent)).sort()).toEqual(kept.sort())
})

it('leaves what it is not sure of', async () => {
  const other = await startOther()
  await other.kill()
  const pid = other.name.split('-')[2]
  const elsewhere = join(parent, 'elsewhere')
  await mkdir(elsewhere, { mode: 0o700 })
  const named = (end: string) => join(parent, `homeport-up-${pid}-${end}`)
  await symlink(elsewhere, named('AAAAAA'))
  await mkdir(named('BBBBBB'), { mode: 0o755 })
  await mkdir(named('CCCCCC'), { mode: 0o700 })
  await writeFile(join(named('CCCCCC'), 'server.sock'), 'a file')
  await mkdir(named('DDDDDD'), { mode: 0o700 })
  await writeFile(join(named('DDDDDD'), 'more'), '')
  // Somebody answers, whatever the id of the process says: the two may not share their ids.
  await mkdir(named('EEEEEE'), { mode: 0o700 })
  const answering = createServer().listen(join(named('EEEEEE'), 'server.sock'))
  await once(answering, 'listening')
  stops.push(() => answering.close())
  await rename(join(parent, other.name), join(parent, 'homeport-other'))
  const before = await readdir(parent)
  await (await createServerSocket(parent)).remove()
  expect(await readdir(parent)).toEqual(before)
})
