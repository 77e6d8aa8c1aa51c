import type { ControlChannel } from '@homeport/contract/control'
import type { Clock, Logger } from '@homeport/runtime'
import type { ProxyProtocol } from './arrival/arrivals.ts'
import { type ArrivalLimits, defaultArrivalLimits } from './arrival/limits.ts'
import { type CarryLimits, defaultCarryLimits } from './carry/limits.ts'
import { defaultResolverLimits, type ResolverLimits } from './routing/resolver.ts'
import { defaultLinkLimits, type LinkLimits } from './sessions/limits.ts'
import { defaultPortLimits, type PortLimits } from './tcp/limits.ts'
import { type DoorLimits, doorLimits } from './visitors/limits.ts'

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
  /** Where these must begin each connection with a PROXY header; `off` where none is named. */
  readonly proxyProtocol?: ProxyProtocol
  /** Tells relays apart; 64 characters at most. */
  readonly relayId: string
  readonly version: string
  /** Changes to the defaults of each room. */
  readonly limits?: { readonly [room in keyof RelayLimits]?: Partial<RelayLimits[room]> }
  readonly clock?: Clock
  readonly logger: Logger
  /** Opens the control link; asked again, with back-off, whenever it is lost. */
  connectControl(): Promise<ControlChannel>
  /** Is it known that the server does not answer just now? Its visitors are told at once then. */
  isServerSilent?(): boolean
}

/** The bounds of a relay, by room. */
export interface RelayLimits {
  readonly arrival: ArrivalLimits
  readonly carry: CarryLimits
  readonly door: DoorLimits
  readonly links: LinkLimits
  readonly ports: PortLimits
  readonly resolver: ResolverLimits
}

/** The bounds that apply: the defaults with the changes. */
export const limitsOf = ({ limits }: Pick<RelayConfig, 'limits'>): RelayLimits => ({
  arrival: { ...defaultArrivalLimits, ...limits?.arrival },
  carry: { ...defaultCarryLimits, ...limits?.carry },
  door: { ...doorLimits, ...limits?.door },
  links: { ...defaultLinkLimits, ...limits?.links },
  ports: { ...defaultPortLimits, ...limits?.ports },
  resolver: { ...defaultResolverLimits, ...limits?.resolver },
})
