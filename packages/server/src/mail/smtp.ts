import { createTransport } from 'nodemailer'
import { isLoopbackHost, type SmtpSettings } from './settings.ts'

/** One letter, plain text. */
export interface Letter {
  to: string
  subject: string
  text: string
}

/** Hands letters over; rejects with SmtpError. */
export interface LetterCarrier {
  carry(letter: Letter): Promise<void>
}

/** A letter that was not taken. Its text holds the server's code, never the letter, an address or a password. */
export class SmtpError extends Error {
  override readonly name = 'SmtpError'
  /** True where the same letter may be taken later: nobody answered, or the server said so (4xx). */
  readonly isTemporary: boolean

  constructor(isTemporary: boolean, detail: string) {
    super(detail)
    this.isTemporary = isTemporary
  }
}

/** Each step of the conversation may take this long in ms. */
const stepTimeoutMs = 10_000

/** Makes a carrier; a connection for each letter, because there are few. */
export function createSmtpCarrier(
  settings: SmtpSettings,
  { timeoutMs = stepTimeoutMs }: { timeoutMs?: number } = {},
): LetterCarrier {
  const { host, port, isImplicitTls, user, password, from } = settings
  const isLocal = isLoopbackHost(host)
  const transport = createTransport({
    host,
    port,
    secure: isImplicitTls,
    // Without TLS nothing is said to another machine, least of all the password.
    requireTLS: !isImplicitTls && !isLocal,
    // A server on this machine has no name that a certificate could prove.
    tls: { rejectUnauthorized: !isLocal, minVersion: 'TLSv1.2' },
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // A letter is text that we wrote: it never makes us read a file or ask an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async carry({ to, subject, text }) {
      try {
        // As an object, so that nothing in it can become a second recipient.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } catch (cause) {
        throw describeFault(cause)
      }
    },
  }
}

// What nodemailer throws quotes the server, which may quote the recipient: only the codes are taken out of it.
function describeFault(cause: unknown): SmtpError {
  const { code, responseCode, command } = cause as {
    code?: unknown
    responseCode?: unknown
    command?: unknown
  }
  const status = typeof responseCode === 'number' ? responseCode : null
  const detail = [code, status, command]
    .filter(part => typeof part === 'string' || typeof part === 'number')
    .join(' ')
  const isRefusal = status === null ? code === 'EAUTH' || code === 'EENVELOPE' : status >= 500
  return new SmtpError(!isRefusal, detail === '' ? 'unknown fault' : detail)
}
