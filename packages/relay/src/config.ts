import type { ControlChannel } from '@homeport/contract/control'
import type { ResolverLimits } from './routing/resolver.ts'
import type { LinkLimits } from './sessions/limits.ts'
import type { PortLimits } from './tcp/limits.ts'
import type { DoorLimits } from './visitors/limits.ts'

/** A structured log: fields first, as pino takes them. Secrets are never among the fields. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Wall clock; what was sealed by a server is compared with it, so it is no monotonic one. */
export interface Clock {
  /** Epoch ms. */
  now(): number
}

/** Where the server's HTTP listens: a socket that nobody else reaches, because it trusts our X-Forwarded-*. */
export type ServerAddress =
  | { readonly path: string }
  | { readonly host: string; readonly port: number }

/** Everything a relay is told at its start. */
export interface RelayConfig {
  /** Address and port of the front door; port 0 picks a free one. Ports of tcp records use the same address. */
  readonly host: string
  readonly port: number
  /** PEM files; HTTPS on the front door where given, plain HTTP elsewhere. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined
  /** Origin of the console without a trailing slash; the control link may correct it. */
  readonly consoleUrl: string
  /** Names of records end with `.` and this; the control link may correct it. */
  readonly tunnelDomain: string
  /** Does an IP address as Host lead to the console? */
  readonly allowIpLiteralConsole: boolean
  readonly serverAddress: ServerAddress
  /** CIDRs of proxies in front; only from these is X-Forwarded-For believed. */
  readonly trustedProxies: readonly string[]
  /** Tells relays apart; 64 characters at most. */
  readonly relayId: string
  readonly version: string
  readonly limits?: Partial<RelayLimits>
  readonly clock?: Clock
  readonly logger: Logger
  /** Opens the control link; asked again, with back-off, whenever it is lost. */
  connectControl(): Promise<ControlChannel>
}

/** The bounds of a relay, by room. */
export interface RelayLimits {
  readonly door: DoorLimits
  readonly links: LinkLimits
  readonly ports: PortLimits
  readonly resolver: ResolverLimits
}
