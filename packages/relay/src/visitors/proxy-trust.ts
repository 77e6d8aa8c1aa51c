import { isIP, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import ipaddr from 'ipaddr.js'
import { findField } from './field-lines.ts'
import type { RequestHead } from './request-head.ts'

/** Where a connection comes from: what its socket says, or the PROXY header of a trusted proxy. */
export interface Source {
  /** Empty where the other end has gone already. */
  readonly address: string
  readonly port: number
  /** A proxy of the operator: its `X-Forwarded-For` and `-Proto` are believed, and limits for each address spare it. */
  readonly isTrusted: boolean
}

/** What a connection proves of its other end. */
export interface Peer extends Source {
  readonly isSecure: boolean
  readonly serverName: string | null
}

/** True for an address that belongs to a proxy of the operator. */
export type IsTrustedAddress = (address: string) => boolean

/** Compiles addresses and CIDR blocks. Throws for a text that is neither. */
export function createProxyTrust(blocks: readonly string[]): IsTrustedAddress {
  if (blocks.length === 0) return () => false
  const ranges = blocks.map(block =>
    block.includes('/') ? ipaddr.parseCIDR(block) : wholeAddress(block),
  )
  return address => {
    if (isIP(address) === 0) return false
    const parsed = ipaddr.process(address)
    return ranges.some(range => parsed.kind() === range[0].kind() && parsed.match(range))
  }
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** `::ffff:192.0.2.1`, as a dual-stack listener names IPv4 peers, is 192.0.2.1. */
const plainAddress = (address: string) =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address

/** Reads where a socket comes from. */
export function sourceOf(socket: Socket, isTrusted: IsTrustedAddress): Source {
  const address = plainAddress(socket.remoteAddress ?? '')
  return { address, port: socket.remotePort ?? 0, isTrusted: isTrusted(address) }
}

/** Adds what a socket says of its hop. */
export function describePeer(socket: Socket, source: Source): Peer {
  const tls = 'encrypted' in socket ? (socket as TLSSocket) : null
  const name = tls?.servername
  return {
    ...source,
    isSecure: tls !== null,
    serverName: typeof name === 'string' && name !== '' ? name.toLowerCase() : null,
  }
}

/** The visitor behind a request: the peer, or the last address in front of the trusted proxies. */
export interface Origin {
  readonly address: string
  readonly isSecure: boolean
  /** What the target gets as `X-Forwarded-For`. */
  readonly chain: string
}

/** Believes `X-Forwarded-*` from a trusted proxy alone, and of its chain no more than trusted proxies wrote. */
export function describeOrigin(peer: Peer, head: RequestHead, isTrusted: IsTrustedAddress): Origin {
  if (!peer.isTrusted) {
    return { address: peer.address, isSecure: peer.isSecure, chain: peer.address }
  }
  const proto = findField(head.fields, 'x-forwarded-proto')?.toLowerCase()
  const isSecure = proto === undefined ? peer.isSecure : proto === 'https'
  const hops: string[] = []
  for (const { name, value } of head.fields) {
    if (name === 'x-forwarded-for') hops.push(...value.split(',').map(hop => hop.trim()))
  }
  let address = peer.address
  for (let at = hops.length - 1; at >= 0 && isTrusted(address); at--) {
    const hop = plainAddress(hops[at] ?? '')
    if (isIP(hop) === 0) break
    address = hop
  }
  return {
    address,
    isSecure,
    chain: address === peer.address ? address : `${address}, ${peer.address}`,
  }
}
