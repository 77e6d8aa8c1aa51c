/** Stable words for the ways, by which options and marks name them. */
export const wayIds = [
  'door',
  'door-tls',
  'nginx-default',
  'nginx-kept',
  'nginx-tls',
  'nginx-two-hops',
  'haproxy',
  'direct',
  'record',
  'nginx-tcp',
  'haproxy-tcp',
  'openssh',
] as const

/** The word for a way. */
export type WayId = (typeof wayIds)[number]

/** Where a visitor knocks; everything is on 127.0.0.1. */
export interface Place {
  readonly port: number
  /** Value of `Host`. */
  readonly host: string
  readonly isTls: boolean
}

/** A process on the way, with all that it starts. */
export interface Side {
  readonly name: 'relay' | 'agent' | 'proxy'
  readonly pid: number
}

/** One way from a visitor to the target. */
export interface Way {
  readonly id: WayId
  /** How the report calls it. */
  readonly name: string
  /** Leads to the target: small answers and bulk towards the visitor. */
  readonly down: Place
  /** Leads to the sink: bulk from the visitor. */
  readonly up: Place
  readonly sides: readonly Side[]
  /** Bulk is left out: the way is only here to tell requests a second. */
  readonly isRequestsOnly?: boolean
  /** Measured only where it is asked for by its id. */
  readonly isExtra?: boolean
}

/** What carries visitors on a way. */
export interface Contestants {
  readonly http: readonly Way[]
  readonly tcp: readonly Way[]
}

/** What every peer is set up with. */
export interface Ground {
  /** Port of the nginx that answers. */
  readonly targetPort: number
  /** Port of the sink that takes uploads. */
  readonly sinkPort: number
  readonly certificate: Certificate
}

/** A self-made pair for localhost, as PEM files. */
export interface Certificate {
  readonly certFile: string
  readonly keyFile: string
  /** Both in one file, as HAProxy wants them. */
  readonly bothFile: string
}
