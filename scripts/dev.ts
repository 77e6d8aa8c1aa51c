// `npm run dev`: server and relay that restart when a source changes, the sample home with its agent, an account
// (admin / homeport-dev), and the console with hot reload. Flags go to `homeport up`.
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { buildConsoleIfStale } from './console-build.ts'

const root = path.join(import.meta.dirname, '..')
const port = process.env.HOMEPORT_PORT ?? '8080'
// The listener is loopback and the data folder is of its own: this password opens nothing else.
const password = process.env.HOMEPORT_ADMIN_PASSWORD ?? 'homeport-dev'

// `up` serves a built console on its own port, which must exist; Vite serves the sources beside it.
await buildConsoleIfStale()

const up = start(
  [
    '--watch',
    '--watch-preserve-output',
    'packages/cli/src/main.ts',
    'up',
    '--demo',
    ...process.argv.slice(2),
  ],
  {
    HOMEPORT_PORT: port,
    HOMEPORT_DATA: process.env.HOMEPORT_DATA ?? path.join(root, 'data', 'dev'),
    HOMEPORT_ADMIN_PASSWORD: password,
  },
)
const vite = start(
  [
    'node_modules/vite/bin/vite.js',
    'packages/console',
    '--host',
    'localhost',
    '--clearScreen',
    'false',
  ],
  {
    HOMEPORT_DEV_API: `http://localhost:${port}`,
  },
)
console.log(`sign in as admin with the password ${password}`)

const children = [up, vite]
for (const child of children) {
  child.once('exit', code => {
    // One without the other is of no use.
    process.exitCode ??= code ?? 1
    stopAll()
  })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stopAll)

function start(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
}

function stopAll(): void {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  }
}
