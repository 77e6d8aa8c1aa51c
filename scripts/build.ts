// `npm run build`: builds the console into packages/console/dist. `--if-stale` leaves a fresh build alone.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { buildConsole, buildConsoleIfStale } from './console-build.ts'

const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } })
const startedAt = performance.now()
try {
  const built = values['if-stale']
    ? await buildConsoleIfStale()
    : await buildConsole().then(() => true)
  if (built) {
    console.error(`homeport: console built in ${Math.round(performance.now() - startedAt)} ms`)
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
