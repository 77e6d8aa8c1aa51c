import type { RecordKind } from '@homeport/contract'

/** Takes the place of a port that the relay's pool assigns when the record is saved. */
const unassignedPort = '*'

/**
 * The public address a record will have: for http the deployment's pattern (`http://*.localhost:8080`) with its label, for
 * tcp `tcp://label.domain:*`, because its port is known after saving only.
 */
export function previewRecordUrl(
  kind: RecordKind,
  label: string,
  site: { record_url_pattern: string; tunnel_domain: string },
): string {
  if (kind === 'tcp') return `tcp://${label}.${site.tunnel_domain}:${unassignedPort}`
  return site.record_url_pattern.replace('*', () => label)
}

/** The host part a visitor sees, without scheme and port: what fits into a narrow row. */
export function shortAddress(url: string): string {
  return url.replace(/^[a-z]+:\/\//, '').replace(/\/$/, '')
}

/** True where a browser can open the address: a tcp record is for other programs. */
export const isBrowserAddress = (url: string): boolean => /^https?:\/\//.test(url)
