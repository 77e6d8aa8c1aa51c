/**
 * Fields by which proxies tell a target who the visitor is. Coming from a visitor they are claims, so they are never carried on; the
 * door writes its own. Targets that see them as CGI variables cannot tell `_` from `-`, so both spellings count.
 */
const exact = new Set(
  (
    'forwarded x-real-ip x-client-ip x-cluster-client-ip x-originating-ip x-remote-ip x-remote-addr true-client-ip client-ip ' +
    'cf-connecting-ip cf-connecting-ipv6 fastly-client-ip x-original-forwarded-for x-original-host x-original-url x-rewrite-url ' +
    'x-request-id x-forwarded proxy'
  ).split(' '),
)
const prefix =
  /^(?:x-forwarded-|x-homeport-|x-auth-request-|remote-|x-remote-|x-webauth-|x-authentik-|x-pomerium-|tailscale-user-|cf-access-)/

/** True for a lower-case field name that claims who or where a visitor is. */
export function isIdentityName(name: string): boolean {
  const plain = name.includes('_') ? name.replaceAll('_', '-') : name
  return exact.has(plain) || prefix.test(plain)
}
