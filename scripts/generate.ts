// `npm run generate`: writes the generated files of docs/ anew. `npm run check` fails while one of them is stale.
import process from 'node:process'
import { writeGenerated } from './generated.ts'

const { written, failures } = await writeGenerated()
console.log(written.length === 0 ? 'nothing to write' : `written: ${written.join(', ')}`)
for (const failure of failures) console.error(failure)
process.exitCode = failures.length > 0 ? 1 : 0
