import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

/** How much is logged; `silent` is nothing. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** One of `logLevels`. */
export type LogLevel = (typeof logLevels)[number]

/** `name` tells processes apart; `destination` is standard output unless a test wants the lines. */
export interface LoggerOptions {
  readonly level: LogLevel
  readonly name: string
  readonly destination?: DestinationStream
}

/**
 * Makes the process's logger: one JSON object a line, times in epoch milliseconds. Fields with the name of a secret are
 * replaced, and secrets in URLs are cut from the whole line, so that a message or a stack cannot carry one out either.
 */
export function createLogger({ level, name, destination }: LoggerOptions): Logger {
  const options = {
    level,
    name,
    formatters: { log: (fields: Record<string, unknown>) => hideSecrets(fields, 0) },
    hooks: { streamWrite: cutUrl },
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

// Single-use and expiring secrets may stand in a URL (decisions in docs/security.md); logs outlive them.
const URL_SECRETS = /([?&#;](?:__hp_ticket|code|state|pairing|token)=)[^&#\s"'\\<>]*/gi

/** Removes the values of secrets from every URL in a text; everything else stays as it is. */
export function cutUrl(text: string): string {
  return text.replace(URL_SECRETS, '$1…')
}

// "password", "oldPassword", "set-cookie", "captcha_ticket", "private_key"; not "publicKey", not "tokens".
const SECRET_FIELD =
  /^key$|(?:^|[-_a-z])(?:authorization|cookie|password|passcode|passphrase|secret|token|ticket)$|(?:private|secret|api)[-_]?key$/i
const HIDDEN = '[hidden]'
// Headers of a request are the deepest thing that is logged: {req: {headers: {cookie}}}.
const DEPTH_LIMIT = 5

function hideSecrets(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      SECRET_FIELD.test(name) && value !== undefined && value !== null
        ? HIDDEN
        : hideInside(value, depth + 1),
    ]),
  )
}

function hideInside(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) {
    return depth > DEPTH_LIMIT ? HIDDEN : value.map(item => hideInside(item, depth + 1))
  }
  // Errors, buffers, dates and the like are pino's to write; they are not made of named secrets.
  if (!isPlainObject(value)) return value
  return depth > DEPTH_LIMIT ? HIDDEN : hideSecrets(value, depth)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
