import { download, upload } from './load/bulk.ts'
import { askOften } from './load/wrk.ts'
import { cpuMicros } from './processes.ts'
import type { Target } from './target.ts'
import type { Way } from './way.ts'

/** What can be measured on a way. */
export type MeasureId = 'requests' | 'connections' | 'down1' | 'down8' | 'up1' | 'up8'

/** One figure of one round. */
export interface Sample {
  /** Requests or connections a second, or MB/s (1 MB is 1,000,000 bytes). */
  readonly rate: number
  /** CPU time by side, in the order of the way's sides: µs a request or connection, or s a GB. */
  readonly cpu: readonly number[]
}

/** One kind of measurement. */
export interface Measure {
  readonly id: MeasureId
  readonly isBulk: boolean
  /** Is it run once before the rounds? */
  readonly warmsUp: boolean
  run(way: Way, seconds: number, target: Target): Promise<Sample>
}

/** A rate, and in how many units the CPU time is shared. */
interface Outcome {
  readonly rate: number
  readonly units: number
  /** CPU µs a unit to what the report shows. */
  readonly scale: number
}

/** Runs a load and takes the CPU time of each side meanwhile. */
async function sample(way: Way, load: () => Promise<Outcome>): Promise<Sample> {
  const before = way.sides.map(side => cpuMicros(side.pid))
  const { rate, units, scale } = await load()
  const cpu = way.sides.map(
    (side, at) => ((cpuMicros(side.pid) - (before[at] ?? 0)) / units) * scale,
  )
  return { rate, cpu }
}

const asking = (id: MeasureId, fresh: boolean): Measure => ({
  id,
  isBulk: false,
  warmsUp: !fresh,
  run: (way, seconds) =>
    sample(way, async () => {
      const { count, perSecond } = await askOften(way.down, seconds, fresh)
      return { rate: perSecond, units: count, scale: 1 }
    }),
})

const carrying = (id: MeasureId, direction: 'down' | 'up', streams: number): Measure => ({
  id,
  isBulk: true,
  warmsUp: streams > 1,
  run: (way, seconds, target) =>
    sample(way, async () => {
      const carried =
        direction === 'down'
          ? await download(way.down, streams, seconds)
          : await upload(way.up, streams, seconds, target.countArrived)
      if (carried.bytes === 0) throw new Error('not a byte was carried')
      const rate = carried.bytes / 1e6 / carried.seconds
      return { rate, units: carried.bytes / 1e9, scale: 1e-6 }
    }),
})

const bulk = [
  carrying('down1', 'down', 1),
  carrying('down8', 'down', 8),
  carrying('up1', 'up', 1),
  carrying('up8', 'up', 8),
]

/** What is measured on ways of HTTP. */
export const httpMeasures: readonly Measure[] = [asking('requests', false), ...bulk]
/** What is measured on ways of TCP. */
export const tcpMeasures: readonly Measure[] = [
  asking('requests', false),
  asking('connections', true),
  ...bulk,
]
