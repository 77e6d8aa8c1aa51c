import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { HeapReport } from './heap-probe.ts'

/** What a program needs in its environment to be watched from outside. */
export async function watchedEnvironment(folder: string): Promise<NodeJS.ProcessEnv> {
  const probes = join(folder, 'probes')
  await mkdir(probes)
  const probe = new URL('./heap-probe.ts', import.meta.url).href
  return { HOMEPORT_PROBE_FOLDER: probes, NODE_OPTIONS: `--import=${probe}` }
}

/** A watched process: its memory and what is open in it, by the kernel's and its heap's own count. */
export interface Watch {
  /** Makes it collect garbage, then tells what is alive. */
  report(): Promise<HeapReport & { descriptors: number }>
  /** Processor time since its start, in ms. */
  cpuMs(): Promise<number>
}

/** Clock ticks a second in `/proc`, which Linux has fixed for every program. */
const ticksPerSecond = 100

/** Watches a process that was started with `watchedEnvironment` of that folder. */
export function watchProcess(folder: string, pid: number): Watch {
  const file = join(folder, 'probes', String(pid))
  return {
    async report() {
      await writeFile(`${file}.asked`, '')
      const read = () => readFile(`${file}.json`, 'utf8')
      const text = await vi.waitFor(read, { timeout: 60_000, interval: 50 })
      await rm(`${file}.json`)
      const descriptors = (await readdir(`/proc/${pid}/fd`)).length
      return { ...(JSON.parse(text) as HeapReport), descriptors }
    },
    async cpuMs() {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
      // Behind the name, which may hold anything: fields 14 and 15 of proc(5).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond
    },
  }
}

/** The middle one of a list that is not empty. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
