import { isTunnelErrorCode, type Retry, type TunnelErrorCode } from '../errors.ts'
import { parseFields } from '../json-fields.ts'

/** The protocol's version; both sides name it and a relay refuses what it does not speak. */
export const PROTOCOL_VERSION = 1
/** The path an agent asks for. */
export const LINK_PATH = '/.homeport/link'
/** The token of the `Upgrade` header. */
export const UPGRADE_TOKEN = 'homeport/1'
/** The largest handshake message, in bytes. */
export const MESSAGE_LIMIT_BYTES = 16 * 1024

/** Relay to agent: what the agent's proof must cover. */
export interface Challenge {
  readonly version: number
  readonly nonce: string
  readonly relay: string
}

/** Agent to relay: who it is, proved. */
export interface LinkHello {
  readonly version: number
  readonly device: string
  readonly session: string
  readonly agentVersion: string
  readonly model: string
  readonly lanIp: string | undefined
  readonly signature: string
}

/** Relay to agent: the answer. */
export type LinkAnswer =
  | { readonly ok: true; readonly heartbeatMs: number }
  | {
      readonly ok: false
      readonly code: TunnelErrorCode
      readonly retry: Retry
      readonly detail: string
    }

const SHORT = 128
const TEXT = 1024

/** JSON bytes of a value; names go over the wire in snake_case. */
function encode(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

export function encodeChallenge({ version, nonce, relay }: Challenge): Buffer {
  return encode({ version, nonce, relay })
}

export function parseChallenge(bytes: Buffer): Challenge {
  const fields = parseFields(bytes, 'handshake_invalid')
  return {
    version: fields.count('version', 0xffff),
    nonce: fields.text('nonce', SHORT),
    relay: fields.text('relay', SHORT),
  }
}

export function encodeHello(hello: LinkHello): Buffer {
  return encode({
    version: hello.version,
    device: hello.device,
    session: hello.session,
    agent_version: hello.agentVersion,
    model: hello.model,
    lan_ip: hello.lanIp,
    signature: hello.signature,
  })
}

export function parseHello(bytes: Buffer): LinkHello {
  const fields = parseFields(bytes, 'handshake_invalid')
  return {
    version: fields.count('version', 0xffff),
    device: fields.text('device', SHORT),
    session: fields.text('session', SHORT),
    agentVersion: fields.text('agent_version', SHORT),
    model: fields.text('model', SHORT),
    lanIp: fields.optionalText('lan_ip', SHORT),
    signature: fields.text('signature', SHORT),
  }
}

export function encodeAnswer(answer: LinkAnswer): Buffer {
  if (answer.ok) return encode({ ok: true, heartbeat_ms: answer.heartbeatMs })
  return encode(answer)
}

/** A refusal with a code younger than this registry is kept as `link_refused` with the relay's own retry hint. */
export function parseAnswer(bytes: Buffer): LinkAnswer {
  const fields = parseFields(bytes, 'handshake_invalid')
  if (fields.flag('ok')) return { ok: true, heartbeatMs: fields.count('heartbeat_ms', 3_600_000) }
  const code = fields.text('code', SHORT)
  const retry = fields.text('retry', SHORT)
  const detail = fields.text('detail', TEXT)
  return {
    ok: false,
    code: isTunnelErrorCode(code) ? code : 'link_refused',
    retry: retry === 'now' || retry === 'never' ? retry : 'later',
    detail: isTunnelErrorCode(code) ? detail : `${code}: ${detail}`,
  }
}
