/** An SMTP server, and who letters are from. */
export interface SmtpSettings {
  host: string
  port: number
  /** TLS from the first byte (`smtps://`); else it is begun by STARTTLS, which only loopback may do without. */
  isImplicitTls: boolean
  user?: string
  password?: string
  /** `归港 <noreply@example.com>` or the address alone. */
  from: string
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** True for a server on this machine: no network lies between that could be listened to. */
export const isLoopbackHost = (host: string): boolean => loopback.test(host)

/**
 * Reads `smtp://user:password@host:587` or `smtps://…:465` and the sender; null where neither is given. Problems never
 * repeat the address: it may hold a password.
 */
export function readSmtpSettings(
  url: string | undefined,
  from: string | undefined,
): { smtp: SmtpSettings | null; problems: string[] } {
  if (url === undefined && from === undefined) return { smtp: null, problems: [] }
  const problems: string[] = []
  const parsed = url === undefined ? null : URL.parse(url)
  const scheme = parsed?.protocol
  if (url === undefined) problems.push('HOMEPORT_MAIL_FROM needs HOMEPORT_SMTP_URL')
  else if (
    parsed === null ||
    (scheme !== 'smtp:' && scheme !== 'smtps:') ||
    parsed.hostname === ''
  ) {
    problems.push('HOMEPORT_SMTP_URL must be smtp://host:port or smtps://host:port')
  } else if (!/^\/?$/.test(parsed.pathname) || parsed.search !== '' || parsed.hash !== '') {
    problems.push('HOMEPORT_SMTP_URL must end after the port')
  } else if ((parsed.username === '') !== (parsed.password === '')) {
    problems.push('HOMEPORT_SMTP_URL must hold both user and password, or neither')
  }
  if (from === undefined) problems.push('HOMEPORT_SMTP_URL needs HOMEPORT_MAIL_FROM')
  else if (!/^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from)) {
    problems.push('HOMEPORT_MAIL_FROM must be an address, or a name with <an address>')
  }
  if (problems.length > 0 || parsed === null || from === undefined) return { smtp: null, problems }
  const isImplicitTls = scheme === 'smtps:'
  const smtp: SmtpSettings = {
    host: parsed.hostname.replace(/^\[|\]$/g, ''),
    port: parsed.port === '' ? (isImplicitTls ? 465 : 587) : Number(parsed.port),
    isImplicitTls,
    from,
    ...(parsed.username === ''
      ? {}
      : {
          user: decodeURIComponent(parsed.username),
          password: decodeURIComponent(parsed.password),
        }),
  }
  return { smtp, problems }
}
