import type { MeasureId, Sample } from './measures.ts'
import type { Result } from './race.ts'
import { compare, median } from './statistics.ts'
import type { WayId } from './way.ts'

/** What we want to reach: one way's rate at least so much of another's. */
interface Mark {
  readonly ours: WayId
  readonly theirs: WayId
  readonly measure: MeasureId
  readonly what: string
  /** Nothing where the ratio is only to be known. */
  readonly atLeast?: number
}

const tcpBulk = (measure: MeasureId, what: string): Mark => ({
  ours: 'record',
  theirs: 'nginx-tcp',
  measure,
  what: `tcp record by two nginx hops with TLS, MB/s ${what}`,
  atLeast: 0.75,
})

const marks: readonly Mark[] = [
  {
    ours: 'door',
    theirs: 'nginx-default',
    measure: 'requests',
    what: 'door, plain, by nginx at one hop as it comes, requests/s',
    atLeast: 0.7,
  },
  {
    ours: 'door',
    theirs: 'nginx-kept',
    measure: 'requests',
    what: 'door, plain, by nginx at one hop with kept connections, requests/s',
  },
  {
    ours: 'door',
    theirs: 'haproxy',
    measure: 'requests',
    what: 'door, plain, by HAProxy at one hop, requests/s',
  },
  {
    ours: 'door-tls',
    theirs: 'nginx-tls',
    measure: 'requests',
    what: 'door, https and TLS link, by nginx at one hop with https visitors, requests/s',
  },
  {
    ours: 'record',
    theirs: 'nginx-tcp',
    measure: 'requests',
    what: 'tcp record by two nginx hops with TLS, requests/s',
    atLeast: 1,
  },
  {
    ours: 'record',
    theirs: 'nginx-tcp',
    measure: 'connections',
    what: 'tcp record by two nginx hops with TLS, new connections/s',
  },
  tcpBulk('down1', 'down, 1 stream'),
  tcpBulk('down8', 'down, 8 streams'),
  tcpBulk('up1', 'up, 1 stream'),
  tcpBulk('up8', 'up, 8 streams'),
]

/** A table of what was reached; marks whose ways were not measured at all are not in it. */
export function renderMarks(results: readonly Result[]): string[] {
  const samplesOf = (id: WayId, measure: MeasureId) =>
    results.find(({ way }) => way.id === id)?.samples.get(measure) ?? []
  const rows = marks.flatMap(({ ours, theirs, measure, what, atLeast }) => {
    const [own, others] = [samplesOf(ours, measure), samplesOf(theirs, measure)]
    const ratio = compare(own.map(rateOf), others.map(rateOf))
    if (ratio === undefined) return []
    const { value, lowest, highest } = ratio
    const aim = atLeast === undefined ? '' : `≥ ${atLeast.toFixed(2)}`
    const range = `${lowest.toFixed(2)}–${highest.toFixed(2)}`
    // The other way round than rates, so that here too more is better.
    const cost = median(others.map(cpuOf)) / median(own.map(cpuOf))
    const end = atLeast === undefined ? '' : verdict(value, atLeast)
    return [
      `| ${what} | ${aim} | **${cut(value)}** | ${range} | ${Number.isFinite(cost) ? cost.toFixed(2) : '–'} | ${end} |`,
    ]
  })
  if (rows.length === 0) return []
  const head = '| ratio of medians | mark | measured | single rounds | by CPU | |'
  return [head, '|---|---|---|---|---|---|', ...rows]
}

const rateOf = ({ rate }: Sample): number => rate

const cpuOf = ({ cpu }: Sample): number => cpu.reduce((sum, each) => sum + each, 0)

/** Cut, not rounded: 0.749 must not look like 0.75. */
const cut = (value: number) => (Math.floor(value * 100) / 100).toFixed(2)

const verdict = (value: number, atLeast: number) => (value >= atLeast ? 'reached' : 'not reached')
