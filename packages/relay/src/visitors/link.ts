import type { Duplex } from 'node:stream'
import { type HeldStream, holdStream } from '../carry/held-bytes.ts'
import { createHeadReader, type HeadReader } from './head-reader.ts'
import type { DoorLimits } from './limits.ts'

/** Who listens to an upstream stream for the time of one request. */
export interface LinkUser {
  data(chunk: Buffer): void
  /** The target has said its last byte. */
  ended(): void
  /** The stream is gone; nothing more comes. `cause` is what it broke with, where it says. */
  closed(cause?: Error): void
  drained(): void
}

/** One upstream stream; it belongs to one visitor connection for its whole life. */
export interface Link {
  readonly stream: Duplex
  readonly held: HeldStream
  readonly key: string
  readonly reader: HeadReader
  /** Null between requests. */
  user: LinkUser | null
  /** Clock ms of the end of the last request; null while it has served none. */
  servedAt: number | null
  isUsable(): boolean
  /** Gives the stream away, paused and without listeners. */
  release(): Duplex
}

/**
 * Wraps a fresh stream. Between requests the target has nothing to say: a stream that speaks or ends then is destroyed, so that
 * bytes which one answer left behind can never become the next one (response splitting).
 */
export function createLink(stream: Duplex, key: string, limits: DoorLimits): Link {
  let isLeaving = false
  const link: Link = {
    stream,
    held: holdStream(stream),
    key,
    reader: createHeadReader(limits, 'response'),
    user: null,
    servedAt: null,
    isUsable: () => !isLeaving && !stream.destroyed && stream.writable && !stream.readableEnded,
    release() {
      stream.pause()
      stream.off('data', onData).off('end', onEnd).off('error', onError)
      stream.off('close', onClose).off('drain', onDrain).off('leaving', onLeaving)
      return stream
    },
  }
  const onData = (chunk: Buffer) => {
    if (link.user === null) stream.destroy()
    else link.user.data(chunk)
  }
  const onEnd = () => {
    if (link.user === null) stream.destroy()
    else link.user.ended()
  }
  // Every error is followed by 'close', which is where it is dealt with.
  let cause: Error | undefined
  const onError = (error: Error) => {
    cause = error
  }
  const onClose = () => link.user?.closed(cause)
  const onDrain = () => link.user?.drained()
  // The device is about to go: one more answer may come, one more request may not.
  const onLeaving = () => {
    isLeaving = true
    if (link.user === null) stream.destroy()
  }
  stream.on('data', onData)
  stream.on('end', onEnd)
  stream.on('error', onError)
  stream.on('close', onClose)
  stream.on('drain', onDrain)
  stream.on('leaving', onLeaving)
  return link
}
