import { renderMarks } from './marks.ts'
import type { MeasureId } from './measures.ts'
import type { Result, Rounds } from './race.ts'
import { median } from './statistics.ts'
import type { WayId } from './way.ts'

/** What a run was and found. */
export interface Report {
  readonly date: Date
  /** The words after `npm run bench --`. */
  readonly options: string
  readonly machine: string
  readonly versions: string
  /** Load averages before the run. */
  readonly load: readonly number[]
  readonly rounds: Rounds
  readonly http: readonly Result[]
  readonly tcp: readonly Result[]
  /** Ways that are not in the tables, and why. */
  readonly leftOut: readonly string[]
}

/** A section for RESULTS.md. */
export function renderReport(report: Report): string {
  const { rounds, http, tcp } = report
  const faults = [...http, ...tcp].flatMap(({ way, faults }) =>
    faults.map(fault => `${way.name}: failed (${fault}) and was left out from there on`),
  )
  const leftOut = [...report.leftOut, ...faults].map(line => `- ${line}`)
  const command = `npm run bench${report.options === '' ? '' : ` -- ${report.options}`}`
  return [
    `## HTTP and TCP through the tunnel beside others (\`${command}\`)`,
    '',
    `${report.date.toISOString().slice(0, 10)}, ${report.machine}. ${report.versions}. Load average before the run: ` +
      `${report.load.map(each => each.toFixed(2)).join(' ')}. Medians of ${rounds.rounds} rounds in turns, ${rounds.seconds} s for requests ` +
      `and connections, ${rounds.bulkSeconds} s for bulk; lowest and highest round in brackets. How to read it: [README.md](README.md).`,
    '',
    ...renderMarks([...http, ...tcp]),
    '',
    ...renderTables('HTTP', http, 'nginx-default'),
    ...renderTables('TCP', tcp, 'nginx-tcp'),
    ...(leftOut.length === 0 ? [] : ['Left out:', '', ...leftOut, '']),
  ].join('\n')
}

/** Rates and costs of one kind of ways; `one` is the way whose requests are 1.00. */
function renderTables(title: string, results: readonly Result[], one: WayId): string[] {
  if (results.length === 0) return []
  const hasConnections = results.some(result => result.samples.has('connections'))
  const base = median(
    ratesOf(
      results.find(({ way }) => way.id === one),
      'requests',
    ),
  )
  const connections = (cell: string) => (hasConnections ? [cell] : [])
  const rates = results.map(result => {
    const requests = ratesOf(result, 'requests')
    return [
      result.way.name,
      spread(requests),
      figure(median(requests) / base, 2),
      ...connections(spread(ratesOf(result, 'connections'))),
      `${middle(result, 'down1')} / ${middle(result, 'down8')}`,
      `${middle(result, 'up1')} / ${middle(result, 'up8')}`,
    ]
  })
  const costs = results.map(result => [
    result.way.name,
    costOf(result, 'requests', 1),
    ...connections(costOf(result, 'connections', 0)),
    costOf(result, 'down8', 2),
    costOf(result, 'up8', 2),
    bySide(result, at => figure(result.idleMib[at] ?? Number.NaN, 0)),
  ])
  return [
    `### ${title}`,
    '',
    ...table(
      [
        'way',
        'requests/s',
        'ratio',
        ...connections('new connections/s'),
        'MB/s down, 1 / 8 streams',
        'MB/s up, 1 / 8',
      ],
      rates,
    ),
    '',
    ...table(
      [
        'CPU',
        'µs a request',
        ...connections('µs a connection'),
        's a GB down, 8 streams',
        's a GB up, 8',
        'MiB before any load',
      ],
      costs,
    ),
    '',
  ]
}

const table = (head: readonly string[], rows: readonly string[][]): string[] =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`)

const ratesOf = (result: Result | undefined, measure: MeasureId): number[] =>
  result?.samples.get(measure)?.map(({ rate }) => rate) ?? []

const figure = (value: number, digits: number): string =>
  Number.isFinite(value) ? value.toFixed(digits) : '–'

const middle = (result: Result, measure: MeasureId): string =>
  figure(median(ratesOf(result, measure)), 0)

function spread(values: readonly number[]): string {
  if (values.length === 0) return '–'
  const range = `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`
  return `${figure(median(values), 0)} (${range})`
}

const costOf = (result: Result, measure: MeasureId, digits: number): string =>
  bySide(result, at => {
    const costs = result.samples.get(measure)?.map(({ cpu }) => cpu[at] ?? Number.NaN) ?? []
    return figure(median(costs), digits)
  })

/** "relay 12 + agent 11"; a dash where nothing was measured. */
function bySide({ way }: Result, cellOf: (at: number) => string): string {
  const cells = way.sides.map(({ name }, at) => ({ name, cell: cellOf(at) }))
  if (cells.every(({ cell }) => cell === '–')) return '–'
  return cells.map(({ name, cell }) => `${name} ${cell}`).join(' + ')
}
