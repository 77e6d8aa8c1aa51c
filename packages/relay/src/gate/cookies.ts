/**
 * Every value of a cookie in a `Cookie` header, in the order sent (RFC 6265 section 5.4). A visitor may send several
 * of one name: a sibling name can toss them in on http, with longer paths that put them before ours, so the gate tries each of the
 * first ones. Trying costs 7 µs; where ours stood behind the limit, its owner would go round between gate and login for ever.
 */
export function readCookies(header: string | undefined, name: string, limit = 32): string[] {
  const values: string[] = []
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals < 0 || pair.slice(0, equals).trim() !== name) continue
    values.push(pair.slice(equals + 1).trim())
    if (values.length === limit) break
  }
  return values
}

/**
 * A `Set-Cookie` value for this host alone: `HttpOnly`, `SameSite=Lax`, no `Domain`. `Path=/` and `Secure` are what
 * the `__Host-` prefix asks for.
 */
export function writeCookie(
  name: string,
  value: string,
  options: { secure: boolean; maxAgeSeconds: number },
): string {
  const secure = options.secure ? '; Secure' : ''
  return `${name}=${value}; Path=/; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`
}
