// `npm run generate`: writes the generated files of docs/ anew. `npm run check` fails while one of them is stale.
import { writeGenerated } from './generated.ts'

const written = await writeGenerated()
console.log(written.length === 0 ? 'nothing to do' : `written: ${written.join(', ')}`)
