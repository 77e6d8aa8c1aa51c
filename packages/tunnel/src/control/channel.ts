import { TunnelError, toTunnelError } from '../errors.ts'
import type { Muxer } from '../yamux/muxer.ts'
import type { YamuxStream } from '../yamux/stream.ts'
import {
  type AgentMessage,
  encodeAgentMessage,
  encodeRelayMessage,
  parseAgentMessage,
  parseRelayMessage,
  type RelayMessage,
} from './messages.ts'

/** The largest control message, in bytes of JSON. */
const MESSAGE_LIMIT_BYTES = 16 * 1024
const PREFIX_BYTES = 4
/** Messages are few and small: a peer that lets so much pile up does not read. */
const BACKLOG_LIMIT_BYTES = 256 * 1024

/** One side's end of the control stream. */
export interface ControlChannel<Outgoing> {
  /** Sends a message; a link whose peer does not read them is closed. */
  send(message: Outgoing): void
}

/** The agent's end: opens the link's first stream. Malformed messages, and the end of this stream, close the link. */
export function openControl(
  muxer: Muxer,
  onMessage: (message: RelayMessage) => void,
): ControlChannel<AgentMessage> {
  const stream = muxer.openStream()
  return createChannel(muxer, stream, encodeAgentMessage, parseRelayMessage, onMessage)
}

/** The relay's end: takes the agent's first stream, resets any other. `send` before it came is kept until then. */
export function acceptControl(
  muxer: Muxer,
  onMessage: (message: AgentMessage) => void,
): ControlChannel<RelayMessage> {
  let channel: ControlChannel<RelayMessage> | null = null
  let early: RelayMessage[] = []
  muxer.acceptStreams(stream => {
    if (channel !== null) {
      stream.destroy(new TunnelError('protocol_error', { detail: 'a second control stream' }))
      return
    }
    channel = createChannel(muxer, stream, encodeRelayMessage, parseAgentMessage, onMessage)
    for (const message of early) channel.send(message)
    early = []
  })
  return {
    send: message => {
      if (channel !== null) channel.send(message)
      else if (early.length < 16) early.push(message)
    },
  }
}

function createChannel<Outgoing, Incoming>(
  muxer: Muxer,
  stream: YamuxStream,
  encode: (message: Outgoing) => Buffer,
  parse: (bytes: Buffer) => Incoming | null,
  onMessage: (message: Incoming) => void,
): ControlChannel<Outgoing> {
  stream.isLasting = true
  let held: Buffer = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    // What had arrived already still comes after a message broke the link.
    if (stream.destroyed) return
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    try {
      for (let bytes = cutMessage(); bytes !== null; bytes = cutMessage()) {
        const message = parse(bytes)
        if (message !== null) onMessage(message)
      }
    } catch (cause) {
      muxer.destroy(toTunnelError(cause))
    }
  })
  stream.on('close', () => {
    muxer.destroy(new TunnelError('protocol_error', { detail: 'the control stream ended' }))
  })
  stream.on('end', () => stream.destroy())

  const cutMessage = (): Buffer | null => {
    if (held.length < PREFIX_BYTES) return null
    const length = held.readUInt32BE(0)
    if (length > MESSAGE_LIMIT_BYTES) {
      throw new TunnelError('protocol_error', { detail: `control message of ${length} bytes` })
    }
    if (held.length < PREFIX_BYTES + length) return null
    const bytes = held.subarray(PREFIX_BYTES, PREFIX_BYTES + length)
    held = held.subarray(PREFIX_BYTES + length)
    return bytes
  }

  return {
    send: message => {
      const bytes = encode(message)
      const prefix = Buffer.alloc(PREFIX_BYTES)
      prefix.writeUInt32BE(bytes.length)
      stream.write(Buffer.concat([prefix, bytes]))
      if (stream.writableLength > BACKLOG_LIMIT_BYTES) {
        muxer.destroy(new TunnelError('flood', { detail: 'control messages pile up' }))
      }
    },
  }
}
