/** What the kernel says about processes. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

interface Stat {
  readonly parent: number
  /** User and system time of all its threads, in ticks. */
  readonly ticks: number
}

// USER_HZ: 100 on every architecture that Node runs on.
const tickMicros = 10_000

/** Reads one process; nothing where it is gone. */
function readStat(pid: number | string): Stat | undefined {
  const text = readIfThere(`/proc/${pid}/stat`)
  if (text === undefined) return undefined
  // The second field is the program's name in brackets, which may hold spaces and brackets itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return undefined
    throw error
  }
}

/** Process ids of everything below a process, itself not included. */
export function descendantsOf(pid: number): number[] {
  const children = Map.groupBy(
    readdirSync('/proc').filter(name => /^\d+$/.test(name)),
    name => readStat(name)?.parent,
  )
  const found: number[] = []
  const walk = (parent: number): void => {
    for (const child of children.get(parent)?.map(Number) ?? []) {
      found.push(child)
      walk(child)
    }
  }
  walk(pid)
  return found
}

/** CPU time so far of a process and all below it, user and system, in µs; steps of 10 ms. */
export function cpuMicros(pid: number): number {
  const ticks = [pid, ...descendantsOf(pid)].map(each => readStat(each)?.ticks ?? 0)
  return ticks.reduce((sum, each) => sum + each, 0) * tickMicros
}

/** Memory of a process and all below it in MiB; a page that several share counts as its part (PSS). */
export function memoryMib(pid: number): number {
  const kib = [pid, ...descendantsOf(pid)].map(each => {
    const text = readIfThere(`/proc/${each}/smaps_rollup`) ?? ''
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0)
  })
  return kib.reduce((sum, each) => sum + each, 0) / 1024
}
