import type { Clock, Logger } from '@homeport/runtime'
import type { SmtpSettings } from './mail/settings.ts'
import type { SmsSettings } from './sms/settings.ts'

/** What one address and one account may do; absent fields keep the product's own figures. */
export interface LimitSettings {
  /** Calls of one address in a burst. */
  callBurst?: number
  /** Calls of one address that come back each second. */
  callsPerSecond?: number
  /** Wrong passwords of one address or for one account before both are slowed down. */
  failedSignInBurst?: number
}

/** An OpenID Connect provider. */
export interface OidcSettings {
  /** Its issuer: https, or http on loopback. */
  issuer: string
  clientId: string
  /** Absent for a client that proves itself by PKCE alone. */
  clientSecret?: string
  /** As the login page names it. */
  label: string
  scopes: readonly string[]
}

/** A website application of WeChat's open platform. */
export interface WechatSettings {
  appId: string
  secret: string
  /** Where the API is, without a slash at the end; WeChat's own where absent. */
  apiUrl?: string
}

/** The part of the configuration that can be sent to a worker thread. */
export interface ServerSettings {
  /** A private socket that only the relay reaches (its `X-Forwarded-*` are believed), or a TCP address (they are not). */
  listen: { path: string } | { host: string; port: number }
  /** Origin of the console without a trailing slash. */
  consoleUrl: string
  /** Parent of all record names. */
  tunnelDomain: string
  /** `ip-literals`: a host that is an IP address serves the console too (no public URL was configured). */
  extraConsoleHosts: 'ip-literals' | 'none'
  mode: 'development' | 'production'
  billing: boolean
  signup: 'off' | 'invite' | 'open'
  oidc?: OidcSettings
  wechat?: WechatSettings
  /** How codes reach telephones. */
  sms: SmsSettings
  /** What carries mail; absent, development keeps it in the outbox and production sends none. */
  smtp?: SmtpSettings
  /** Pool for tcp records, both ends included. */
  tcpPorts: { from: number; to: number }
  /** Folder of the SQLite file; must exist. */
  dataFolder: string
  /** `postgres://…`; SQLite in the data folder where absent. */
  databaseUrl?: string
  /** 32 bytes. */
  secretKey: Uint8Array
  /** First start only: makes the user `admin` instead of the set-up link. */
  adminPassword?: string
  /** The console's built files. */
  consoleFiles?: string
  version: string
  limits?: LimitSettings
}

/** Everything a server needs. */
export interface ServerConfig extends ServerSettings {
  clock: Clock
  logger: Logger
}

/** Origin of a record with `*` for its name: scheme and port of the console, parent of the records. */
export function recordUrlPattern(settings: ServerSettings): string {
  const { protocol, port } = new URL(settings.consoleUrl)
  return `${protocol}//*.${settings.tunnelDomain}${port === '' ? '' : `:${port}`}`
}
