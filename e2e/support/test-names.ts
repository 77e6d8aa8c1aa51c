import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

// Lets programs find names under .test, which no resolver knows, on this machine, as `--host-resolver-rules` does for the
// browser. Loaded by `--import` into agents, and by a test for its own calls.

const lookUp = dns.lookup
type Lookup = (host: string, ...rest: unknown[]) => void
const lookUpHere: Lookup = (host, ...rest) =>
  (lookUp as unknown as Lookup)(host.endsWith('.test') ? '127.0.0.1' : host, ...rest)
dns.lookup = lookUpHere as unknown as typeof dns.lookup
syncBuiltinESMExports()
