/** The agent of a run, in a process of its own: data folder, server and file of the certificate to trust are its arguments. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { startAgent } from '@homeport/agent'
import { createLogger } from '@homeport/runtime'

const [, , folder = '', server = '', certFile] = process.argv
// Nobody is left to measure.
process.once('disconnect', () => process.exit())
const agent = startAgent({
  server: new URL(server),
  dataFolder: folder,
  allow: [],
  allowLoopback: true,
  insecure: false,
  version: '0.0.0',
  logger: createLogger({ level: 'error', name: 'bench' }),
  ...(certFile !== undefined && { ca: readFileSync(certFile, 'utf8') }),
})
await agent.finished
