import type { RecordKind } from '@homeport/contract'

/** What the public addresses of records are made from. */
export interface NameUrlConfig {
  /** Origin of the console: names share its scheme and port. */
  consoleUrl: string
  tunnelDomain: string
}

/** The host of a name, lower case, without a port. */
export const hostOfName = (config: NameUrlConfig, name: string): string =>
  `${name}.${config.tunnelDomain.toLowerCase()}`

const labelShape = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** The one label before the tunnel domain; null where the host (lower case, no port) is no name of this deployment. */
export function labelUnder(host: string, tunnelDomain: string): string | null {
  const suffix = `.${tunnelDomain.toLowerCase()}`
  if (!host.endsWith(suffix)) return null
  const label = host.slice(0, -suffix.length)
  return labelShape.test(label) ? label : null
}

/** The address to open: `http://nas.localhost:8080`, `tcp://nas.localhost:20001`. */
export function urlOfRecord(
  config: NameUrlConfig,
  record: { kind: RecordKind; name: string; port: number | null },
): string {
  const host = hostOfName(config, record.name)
  if (record.kind === 'tcp') return `tcp://${host}:${record.port}`
  const { protocol, port } = new URL(config.consoleUrl)
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`
}
