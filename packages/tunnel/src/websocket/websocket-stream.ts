import { Duplex } from 'node:stream'
import { toTunnelError } from '../errors.ts'
import {
  createFrameReader,
  encodeFrameHeader,
  OP_BINARY,
  OP_CLOSE,
  OP_PING,
  OP_PONG,
} from './frames.ts'

/** RFC 6455 section 7.4.1: a normal end. */
const CLOSE_NORMAL = Buffer.from([0x03, 0xe8])
/** Pongs are dropped while so much waits: a peer that asks and does not read must not fill memory. */
const PONG_LIMIT_BYTES = 64 * 1024

/** What carries a link over a websocket. */
export interface WebsocketOptions {
  /** The agent is the client: it masks. */
  readonly role: 'client' | 'server'
  /** What was read past the upgrade. */
  readonly head: Buffer
}

/** The bytes of a link in binary frames on a socket whose upgrade is done. Each write becomes one frame. */
export function createWebsocketStream(socket: Duplex, options: WebsocketOptions): Duplex {
  const isClient = options.role === 'client'
  let isOver = false
  let isCloseSent = false
  const stream = new Duplex({
    allowHalfOpen: true,
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => send(OP_BINARY, [chunk], done),
    writev: (chunks, done) =>
      send(
        OP_BINARY,
        chunks.map(({ chunk }) => chunk as Buffer),
        done,
      ),
    final: done => {
      close(CLOSE_NORMAL)
      socket.end(done)
    },
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })

  function send(opcode: number, parts: Buffer[], done?: (error?: Error | null) => void): void {
    let length = 0
    for (const part of parts) length += part.length
    socket.cork()
    socket.write(encodeFrameHeader(opcode, length, isClient))
    for (const part of parts.slice(0, -1)) socket.write(part)
    socket.write(parts.at(-1) ?? Buffer.alloc(0), done)
    socket.uncork()
  }

  function close(status: Buffer): void {
    if (isCloseSent || !socket.writable) return
    isCloseSent = true
    send(OP_CLOSE, [status])
  }

  function endReading(): void {
    if (isOver) return
    isOver = true
    stream.push(null)
  }

  const reader = createFrameReader(!isClient, {
    onData: part => {
      if (!isOver && !stream.push(part)) socket.pause()
    },
    onControl: (opcode, payload) => {
      if (opcode === OP_CLOSE) {
        close(payload)
        endReading()
      } else if (opcode === OP_PING && socket.writable && !isCloseSent) {
        if (socket.writableLength < PONG_LIMIT_BYTES) send(OP_PONG, [payload])
      }
    },
  })

  function read(chunk: Buffer): void {
    try {
      reader.push(chunk)
    } catch (cause) {
      stream.destroy(toTunnelError(cause))
    }
  }

  socket.on('data', read)
  socket.on('end', endReading)
  socket.on('error', cause => stream.destroy(cause))
  // Not by destroying: what was read before, a refusal for one, must still reach its reader.
  socket.on('close', endReading)
  socket.pause()
  if (options.head.length > 0) read(options.head)
  return stream
}
