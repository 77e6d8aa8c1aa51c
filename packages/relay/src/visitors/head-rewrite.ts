/** How heads are fitted to one target; made once for a route by {@link createHeadRewrite}. */
export interface HeadRewrite {
  /** What the target sees as `Host`; null: what the visitor asked for. */
  readonly host: string | null
  /** Origin under which the target believes to be asked; null where Host is the visitor's. */
  readonly ownOrigin: string | null
  /** Lower-case origins that mean the target in its own answers, without a trailing slash. */
  readonly origins: readonly string[]
  readonly scheme: 'http' | 'https'
}

/** What a record says about its requests. */
export interface HeadRewriteOptions {
  /** `target`, `public` or a fixed authority: the record's `host_header`. */
  readonly hostHeader: string
  /** `http://host:port` or `https://host:port` of the target. */
  readonly target: string
}

/** Works out what to write for Host and which origins to translate. Throws for a target that is no http(s) URL. */
export function createHeadRewrite(options: HeadRewriteOptions): HeadRewrite {
  const url = new URL(options.target)
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const defaultPort = scheme === 'https' ? '443' : '80'
  // `URL.host` leaves the default port out, which is what clients of that target send.
  const hosts = [url.host, `${url.hostname}:${url.port === '' ? defaultPort : url.port}`]
  const host = hostOf(options.hostHeader, url.host)
  if (host !== null) hosts.push(host)
  const origins = [...new Set(hosts)].map(name => `${scheme}://${name}`.toLowerCase())
  return { host, scheme, origins, ownOrigin: host === null ? null : `${scheme}://${host}` }
}

function hostOf(hostHeader: string, target: string): string | null {
  if (hostHeader === 'public') return null
  return hostHeader === 'target' ? target : hostHeader
}

/**
 * `value` with one of the lower-case `origins` at its start replaced. The origin must be followed by the end, a path, a query or a
 * fragment: `http://nas.lan.evil.example/` does not begin with the origin `http://nas.lan`.
 */
export function translateOrigin(
  value: string,
  origins: readonly string[],
  replacement: string,
): string {
  const lower = value.toLowerCase()
  for (const origin of origins) {
    if (!lower.startsWith(origin)) continue
    const next = value[origin.length]
    if (next === undefined || next === '/' || next === '?' || next === '#') {
      return replacement + value.slice(origin.length)
    }
  }
  return value
}
