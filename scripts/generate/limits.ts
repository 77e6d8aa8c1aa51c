import { isTest, readSourceFiles, type SourceFile } from '../check/source-files.ts'
import { generatedNotice, renderTable } from './markdown.ts'
import { renderMemory } from './memory.ts'

/** One bound in the sources: where it stands, its value and the sentence of its comment. */
type Limit = { file: string; name: string; value: number; meaning: string }

// Units stand in names, so a name tells whether a constant bounds bytes, time or a count.
const UNITS =
  /(?:Limit|Bytes|Ms|Burst|PerSecond|_LIMIT|_BYTES|_MS|_BURST|_PER_SECOND)$|Limit|_LIMIT_/
const SUM = /^[\d_.\s()*+-]+$/

/** docs/limits.md: every documented numeric bound of the product, read from its sources. */
export async function renderLimits(): Promise<string> {
  const files = (await readSourceFiles()).filter(
    file => /^packages\/[^/]+\/src\/.*\.ts$/.test(file.path) && !isTest(file.path),
  )
  const limits = files
    .filter(file => !file.path.startsWith('packages/testkit/'))
    .flatMap(readLimits)
    .sort((a, b) => (a.file === b.file ? 0 : a.file < b.file ? -1 : 1))
  const packages = [...new Set(limits.map(limit => limit.file.split('/')[1] ?? ''))]
  const sections = packages.map(name => {
    const rows = limits
      .filter(limit => limit.file.startsWith(`packages/${name}/`))
      .map(({ file, name, value, meaning }) => [
        `\`${name}\``,
        formatValue(name, value),
        meaning,
        `\`${file.split('/').slice(3).join('/')}\``,
      ])
    return `## ${name}\n\n${renderTable(['limit', 'value', 'meaning', 'file'], rows)}\n`
  })
  return `${generatedNotice}

# Limits

How much memory, time and work one peer can take. Every row of the tables by package is a constant of the sources and its comment.

${renderMemory()}
${sections.join('\n')}`
}

/** Reads documented constants, and the defaults of documented number fields, from one file. */
export function readLimits(file: SourceFile): Limit[] {
  // In a room's table of bounds every number is one, whatever its name.
  const isTable = file.path.endsWith('/limits.ts')
  const limits: Limit[] = []
  const add = (name: string, sum: string, comment: string) => {
    const value = evaluate(sum)
    if ((isTable || UNITS.test(name)) && value !== undefined) {
      limits.push({ file: file.path, name, value, meaning: firstSentences(comment) })
    }
  }
  const comment = String.raw`/\*\*((?:(?!\*/)[\s\S])*)\*/\s*\n`
  const constants = new RegExp(`${comment}(?:export )?const (\\w+)(?:: number)? = ([^\\n]+)$`, 'gm')
  for (const [, text = '', name = '', sum = ''] of file.text.matchAll(constants))
    add(name, sum, text)

  const fields = new RegExp(`${comment}\\s*(?:readonly )?(\\w+)\\??: number`, 'g')
  for (const [, text = '', name = ''] of file.text.matchAll(fields)) {
    const given = new RegExp(`^\\s+${name}: ([\\d_]+(?: \\* [\\d_]+)*),$`, 'm').exec(file.text)
    if (given?.[1] !== undefined) add(name, given[1], text)
  }
  return limits
}

/** The value of a product or sum of numbers; nothing for what names other constants. */
function evaluate(sum: string): number | undefined {
  if (!SUM.test(sum) || !/\d/.test(sum)) return undefined
  const numbers = sum.replaceAll('_', '').split('*').map(Number)
  return numbers.some(Number.isNaN) ? undefined : numbers.reduce((product, next) => product * next)
}

function firstSentences(comment: string): string {
  return comment
    .replace(/^\s*\*\s?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function formatValue(name: string, value: number): string {
  if (/bytes/i.test(name))
    return inUnits(value, [
      [1024 * 1024, 'MiB'],
      [1024, 'KiB'],
      [1, 'bytes'],
    ])
  if (/ms$/i.test(name)) {
    return inUnits(value, [
      [86_400_000, 'd'],
      [3_600_000, 'h'],
      [60_000, 'min'],
      [1000, 's'],
      [1, 'ms'],
    ])
  }
  return value.toLocaleString('en-US')
}

function inUnits(value: number, units: readonly (readonly [number, string])[]): string {
  // The largest unit that leaves a whole number: 90 s stay 90 s, they do not become 1.5 min.
  const [size, unit] = units.find(([size]) => value >= size && value % size === 0) ?? [1, '']
  return `${(value / size).toLocaleString('en-US')} ${unit}`
}
