import { isTunnelErrorCode, type TunnelErrorCode } from '../errors.ts'
import { parseFields } from '../json-fields.ts'

/** Agent to relay. `facts`: what may change while the agent runs. */
export type AgentMessage = {
  readonly type: 'facts'
  readonly agentVersion: string
  readonly model: string
  readonly lanIp: string | undefined
}

/** Links an agent dials at most, whatever it is asked for. */
export const LINK_LIMIT = 8

/**
 * Relay to agent. `grow`: have so many links. `drain`: dial another link now, this one closes after `deadlineMs`. `revoked`: the device's
 * credential died for the reason `code`; the link closes.
 */
export type RelayMessage =
  | { readonly type: 'grow'; readonly links: number }
  | { readonly type: 'drain'; readonly deadlineMs: number }
  | { readonly type: 'revoked'; readonly code: TunnelErrorCode }

const TEXT = 128
const DAY_MS = 86_400_000

/** Bytes of an agent's message. */
export function encodeAgentMessage(message: AgentMessage): Buffer {
  const { type, agentVersion, model, lanIp } = message
  return Buffer.from(JSON.stringify({ type, agent_version: agentVersion, model, lan_ip: lanIp }))
}

/** Reads an agent's message; null for a type younger than this relay. Throws `protocol_error`. */
export function parseAgentMessage(bytes: Buffer): AgentMessage | null {
  const fields = parseFields(bytes, 'protocol_error')
  if (fields.text('type', TEXT) !== 'facts') return null
  return {
    type: 'facts',
    agentVersion: fields.text('agent_version', TEXT),
    model: fields.text('model', TEXT),
    lanIp: fields.optionalText('lan_ip', TEXT),
  }
}

/** Bytes of a relay's message. */
export function encodeRelayMessage(message: RelayMessage): Buffer {
  if (message.type !== 'drain') return Buffer.from(JSON.stringify(message))
  return Buffer.from(JSON.stringify({ type: 'drain', deadline_ms: message.deadlineMs }))
}

/** Reads a relay's message; null for a type younger than this agent. Throws `protocol_error`. */
export function parseRelayMessage(bytes: Buffer): RelayMessage | null {
  const fields = parseFields(bytes, 'protocol_error')
  const type = fields.text('type', TEXT)
  if (type === 'grow') return { type, links: fields.count('links', LINK_LIMIT) }
  if (type === 'drain') return { type, deadlineMs: fields.count('deadline_ms', DAY_MS) }
  if (type !== 'revoked') return null
  const code = fields.text('code', TEXT)
  return { type, code: isTunnelErrorCode(code) ? code : 'device_revoked' }
}
