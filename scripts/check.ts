// `npm run check`: everything about the repository that a program can judge. `--only types,lint` picks steps.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { runSteps, stepNames } from './check/steps.ts'

const { values } = parseArgs({ options: { only: { type: 'string' } } })
const names = values.only?.split(',') ?? stepNames
const unknown = names.filter(name => !stepNames.includes(name))
if (unknown.length > 0) {
  console.error(`no step is called ${unknown.join(', ')}; there are ${stepNames.join(', ')}`)
  process.exit(64)
}

const results = await runSteps(names, ({ name, problems, ms }) => {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${ms} ms`)
})
const failed = results.filter(result => result.problems.length > 0)
for (const { name, problems } of failed) console.log(`\n${name}:\n${problems.join('\n')}`)
process.exitCode = failed.length > 0 ? 1 : 0
