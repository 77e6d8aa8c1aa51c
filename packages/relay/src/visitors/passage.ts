import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FlowRecord } from '../carry/flow-record.ts'
import type { PageCode } from '../pages/kinds.ts'
import type { DoorResponse } from '../pages/render.ts'
import type { HeadRewrite } from './head-rewrite.ts'
import type { RequestHead } from './request-head.ts'

/** Who asks, as far as the connection (and trusted proxies before it) can prove it. */
export interface Visitor {
  /** IP address without brackets; the client's where a trusted proxy vouches for it. */
  readonly address: string
  readonly port: number
  /** The visitor's own hop is TLS. */
  readonly isSecure: boolean
  /** SNI of the connection; null on plain connections and where none was sent. */
  readonly serverName: string | null
  /** Id of this request, unique over restarts: request id on pages, `X-Request-Id` for targets. */
  readonly flow: string
}

/** Opens one byte stream to the target. Rejects with a TunnelError where the tunnel knows why. */
export interface Upstream {
  open(flow: string, signal: AbortSignal): Promise<Duplex>
}

/** What stands behind a host name; decided anew for every request on a connection. */
export type Passage =
  | {
      readonly kind: 'forward'
      readonly upstream: Upstream
      /** A stream that served this key may serve the next request of the *same* connection if its key is equal. */
      readonly key: string
      readonly rewrite: HeadRewrite
      /** Leads to our own server, which does not share the waiting places with targets that may never answer. */
      readonly isOurs?: true
      readonly onEnd?: (record: FlowRecord) => void
    }
  /** A redirect, or another whole answer. */
  | { readonly kind: 'answer'; readonly response: DoorResponse }
  /** A page of the registry. */
  | { readonly kind: 'page'; readonly code: PageCode }
  /** The socket leaves the door, paused; `take` must attach its handlers at once, resumes it, and owns it from then on. */
  | {
      readonly kind: 'takeover'
      readonly take: (socket: Socket, head: RequestHead, rest: Buffer) => void
    }

/** Decides for one request. A plain value keeps cached decisions out of the microtask queue. */
export type Resolve = (head: RequestHead, visitor: Visitor) => Passage | Promise<Passage>
