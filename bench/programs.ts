import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** A program that a run needs and where it comes from. */
interface Program {
  /** Debian's package. */
  readonly debian: string
  /** Arguments that print its version. */
  readonly version: readonly string[]
}

const programs = {
  nginx: { debian: 'nginx', version: ['-v'] },
  wrk: { debian: 'wrk', version: ['-v'] },
  openssl: { debian: 'openssl', version: ['version'] },
  haproxy: { debian: 'haproxy', version: ['-v'] },
  sshd: { debian: 'openssh-server', version: ['-V'] },
  ssh: { debian: 'openssh-client', version: ['-V'] },
  'ssh-keygen': { debian: 'openssh-client', version: [] },
} as const satisfies Record<string, Program>

/** A program that a run needs. */
export type ProgramName = keyof typeof programs

/** A program of the system is missing: the message names it and Debian's package. */
export class MissingProgram extends Error {
  constructor(what: string, debian: string) {
    super(`${what} is missing (Debian: apt-get install ${debian})`)
    this.name = 'MissingProgram'
  }
}

/** Where a program is. Throws MissingProgram. */
export function findProgram(name: ProgramName): string {
  // Daemons live in sbin, which an ordinary user's PATH leaves out.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']
  const found = folders.map(folder => join(folder, name)).find(file => existsSync(file))
  if (found === undefined) throw new MissingProgram(name, programs[name].debian)
  return found
}

/** What a program says of its version, such as "1.22.1"; nothing where it is missing. */
export function versionOf(name: ProgramName): string | undefined {
  try {
    return /\d+\.\d+(?:\.\d+)?(?:p\d+)?/.exec(ask(name, programs[name].version))?.[0]
  } catch (error) {
    if (error instanceof MissingProgram) return undefined
    throw error
  }
}

/** Line that loads nginx's stream module; empty where it is built in. Throws MissingProgram where there is none. */
export function loadStreamModule(): string {
  const build = ask('nginx', ['-V'])
  if (/--with-stream(?:\s|$)/.test(build)) return ''
  const folder = /--modules-path=(\S+)/.exec(build)?.[1] ?? '/usr/lib/nginx/modules'
  const file = join(folder, 'ngx_stream_module.so')
  if (!existsSync(file)) throw new MissingProgram("nginx's stream module", 'libnginx-mod-stream')
  return `load_module ${file};`
}

function ask(name: ProgramName, args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(findProgram(name), args, {
    encoding: 'utf8',
    timeout: 5_000,
  })
  return `${stdout}${stderr}`
}
