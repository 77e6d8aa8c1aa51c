/**
 * The address of a name that works again, from the deployment's pattern (`http://*.localhost:8080`). Undefined for a
 * host that does not fit it: the name comes from the query, and must not become a link to anywhere else.
 */
export function openAddress(domain: string, pattern: string | undefined): string | undefined {
  if (pattern === undefined || !/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(domain)) return undefined
  const label = domain.split('.', 1)[0] ?? ''
  const address = pattern.replace('*', label)
  if (!URL.canParse(address)) return undefined
  return new URL(address).hostname === domain ? address : undefined
}
