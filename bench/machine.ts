import { availableParallelism, cpus, release, totalmem } from 'node:os'
import process from 'node:process'
import { type ProgramName, versionOf } from './programs.ts'

/** Cores, memory and kernel, in words. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  const memoryGib = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores (${model}), ${memoryGib} GiB, Linux ${release()}`
}

/** Versions of everything that takes part and is there, in words. */
export function describeVersions(): string {
  const names: readonly ProgramName[] = ['nginx', 'haproxy', 'ssh', 'openssl', 'wrk']
  const known = names.flatMap(name => {
    const version = versionOf(name)
    return version === undefined ? [] : [`${name} ${version}`]
  })
  const own = `Node ${process.versions.node} (OpenSSL ${process.versions.openssl})`
  return [own, ...known].join(', ')
}
