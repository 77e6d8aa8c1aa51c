import { Duplex } from 'node:stream'
import { TunnelError } from '../errors.ts'
import {
  FLAG_ACK,
  FLAG_FIN,
  FLAG_RST,
  FLAG_SYN,
  FRAME_LIMIT_BYTES,
  INITIAL_WINDOW_BYTES,
  TYPE_DATA,
  TYPE_WINDOW_UPDATE,
} from './constants.ts'
import type { Outbox } from './encode.ts'
import { Inbox, retain } from './inbox.ts'
import { ReceiveWindow, type WindowBudget } from './receive-window.ts'

/** What a stream asks of the muxer that carries it. */
export interface StreamHost extends WindowBudget {
  readonly windowLimitBytes: number
  /** Puts the stream into the round for its turn to write. */
  queueTurn(stream: YamuxStream): void
  queueControl(type: number, flags: number, streamId: number, length: number): void
  /** Counts bytes that wait unread (or, negative, no longer do). */
  countUnread(stream: YamuxStream, bytes: number): void
  /** The stream has carried a lot by now; called once. */
  countBulk(): void
  forget(stream: YamuxStream): void
}

/** A stream that carried so much, both ways together, is a bulk transfer: what else is on its link waits behind it. */
const BULK_BYTES = 256 * 1024

/** A window cannot be granted beyond what its 32 bits can say. */
const SEND_WINDOW_LIMIT_BYTES = 0xffffffff

type Callback = (error?: Error | null) => void

/**
 * One stream of a link as a Duplex. `end()` half-closes, `destroy()` resets, a reset by the peer destroys it with
 * `stream_reset`. A buffer that was written must not be changed afterwards: it is sent without a copy. Errors do not
 * have to be listened to ('close' always comes): a peer must not be able to crash the process with a reset.
 */
export class YamuxStream extends Duplex {
  /** The id on the wire: odd from the client, even from the server. */
  readonly id: number
  /** Did this side open it? */
  readonly isOutbound: boolean
  /** Lives as long as the link: `drain` does not wait for it. */
  isLasting = false
  /** Has it carried a megabyte or more? */
  isBulk = false
  /** Intrusive links of the muxer's round. */
  isQueued = false
  nextInRound: YamuxStream | null = null

  readonly #host: StreamHost
  readonly #window: ReceiveWindow
  readonly #inbox = new Inbox()
  #isReadWanted = false
  #isFinReceived = false
  #isFinSent = false
  #isResetReceived = false
  #openingFlag: number
  #next: Duplex | null = null
  #isMoving = false
  #isWriteMoved = false
  #isReadMoved = false
  #carriedBytes = 0
  #sendWindow = INITIAL_WINDOW_BYTES
  #pending: Uint8Array[] = []
  #pendingAt = 0
  #pendingBytes = 0
  #pendingTotal = 0
  #writeDone: Callback | null = null
  #finalDone: Callback | null = null

  constructor(host: StreamHost, id: number, isOutbound: boolean) {
    // With a mark of 1 the Readable holds one chunk at most; the rest waits in the inbox, where it is packed.
    super({ allowHalfOpen: true, readableHighWaterMark: 1, writableHighWaterMark: 64 * 1024 })
    this.id = id
    this.isOutbound = isOutbound
    this.#host = host
    this.#openingFlag = isOutbound ? FLAG_SYN : FLAG_ACK
    this.#window = new ReceiveWindow(host, host.windowLimitBytes)
    this.on('error', ignoreError)
  }

  /** Bytes received that the reader has not taken. */
  get unreadBytes(): number {
    return this.#inbox.bytes + this.readableLength
  }

  /** The receive window's present size in bytes. */
  get windowBytes(): number {
    return this.#window.size
  }

  /** Has the peer half-closed? Data after that is a protocol error. */
  get isFinReceived(): boolean {
    return this.#isFinReceived
  }

  /** Has this side sent its first frame on the stream (SYN or ACK)? */
  get isAnswered(): boolean {
    return this.#openingFlag === 0
  }

  /** Does it go on, or will it, on another link? */
  get isMoved(): boolean {
    return this.#isMoving || this.#next !== null
  }

  /** Keeps the peer's half-close to itself until `stay` or `continueOn` tells what it means. */
  prepareMove(): void {
    this.#isMoving = true
  }

  /** It was not moved: a half-close is the end of what the peer says. */
  stay(): void {
    this.#isMoving = false
    if (this.#isFinReceived && this.#inbox.bytes === 0 && !this.destroyed) this.#endRead()
  }

  /**
   * Goes on over another stream, on another link, while whoever uses this one notices nothing. Each direction half-closes here and
   * continues there; the peer does the same with its own two streams. What was sent before arrives before what is sent after.
   */
  continueOn(next: Duplex): void {
    this.#isMoving = false
    if (this.destroyed) {
      next.destroy()
      return
    }
    this.#next = next
    next.on('error', ignoreError)
    next.once('close', () => {
      const isWhole = next.readableEnded && next.writableFinished
      if (!isWhole) this.destroy(next.errored ?? new TunnelError('stream_reset'))
    })
    if (this.writableEnded) {
      next.end()
    } else {
      this.#isWriteMoved = true
      this.#host.queueTurn(this)
    }
    if (this.#isFinReceived && this.#inbox.bytes === 0) this.#endRead()
  }

  /** Counts it as a bulk transfer from now on, whatever it has carried. */
  markBulk(): void {
    if (this.isBulk) return
    this.isBulk = true
    this.#host.countBulk()
  }

  /** Muxer only: a data frame of so many bytes begins. False when it breaks the window. */
  spendWindow(bytes: number): boolean {
    return this.#window.spend(bytes)
  }

  /** Muxer only: payload that arrived. */
  receive(part: Buffer): void {
    if (this.destroyed) return
    this.#countCarried(part.length)
    const isFlowing = this.readableFlowing === true && this.readableLength === 0
    if (this.#inbox.bytes === 0 && (isFlowing || this.#isReadWanted)) {
      this.#isReadWanted = false
      this.push(isFlowing ? part : retain(part))
    } else {
      this.#inbox.add(part)
      this.#host.countUnread(this, part.length)
    }
    this.#grant(this.unreadBytes)
  }

  /** Muxer only: the peer half-closed. */
  receiveFin(): void {
    this.#isFinReceived = true
    if (!this.destroyed && this.#inbox.bytes === 0) this.#endRead()
  }

  /** Muxer only: the peer reset the stream. */
  receiveReset(): void {
    this.#isResetReceived = true
    this.destroy(new TunnelError('stream_reset'))
  }

  /** Muxer only: the peer granted more. False when the sum is more than a window can be. */
  widen(delta: number): boolean {
    this.#sendWindow += delta
    if (this.#sendWindow > SEND_WINDOW_LIMIT_BYTES) return false
    if (delta > 0 && this.#pendingBytes > 0) this.#host.queueTurn(this)
    return true
  }

  /** Muxer only: writes at most one frame; true when there is more to send at once. */
  takeTurn(out: Outbox): boolean {
    if (this.destroyed) return false
    const size = Math.min(this.#pendingBytes, this.#sendWindow, FRAME_LIMIT_BYTES)
    const isEnd = size === this.#pendingBytes && this.#isEnding()
    let flags = this.#takeOpeningFlag()
    if (size === 0 && !isEnd) {
      if (flags !== 0) out.addHeader(TYPE_WINDOW_UPDATE, flags, this.id, 0)
      return false
    }
    if (size > 0) {
      out.addHeader(TYPE_DATA, flags, this.id, size)
      flags = 0
      this.#sendWindow -= size
      this.#countCarried(size)
      this.#addPayload(out, size)
    }
    if (isEnd) {
      // Never on the frame with the last payload, though the specification allows it: HashiCorp's reader may then
      // see the end before these bytes and drop them.
      out.addHeader(TYPE_DATA, flags | FLAG_FIN, this.id, 0)
      this.#isFinSent = true
      this.#leaveLink()
    }
    if (this.#pendingBytes === 0) this.#finishWrite()
    return this.#pendingBytes > 0 && this.#sendWindow > 0
  }

  override _read(): void {
    if (this.#isReadMoved) {
      this.#next?.resume()
      return
    }
    const chunk = this.#inbox.take()
    // With a mark of 1 a Readable asks for more only while it is empty or gives away all it holds.
    this.#grant(this.#inbox.bytes + (chunk?.length ?? 0))
    if (chunk === null) {
      this.#isReadWanted = true
      return
    }
    this.#host.countUnread(this, -chunk.length)
    this.push(chunk)
    if (this.#isFinReceived && this.#inbox.bytes === 0) this.#endRead()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Callback): void {
    if (this.#isWriteMoved) this.#next?.write(chunk, done)
    else this.#startWrite([chunk], chunk.length, done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: Callback): void {
    if (this.#isWriteMoved && this.#next !== null) {
      writeAll(this.#next, chunks, done)
      return
    }
    let bytes = 0
    const buffers: Buffer[] = []
    for (const { chunk } of chunks) {
      buffers.push(chunk)
      bytes += chunk.length
    }
    this.#startWrite(buffers, bytes, done)
  }

  override _final(done: Callback): void {
    if (this.#isWriteMoved) {
      this.#next?.end(done)
    } else if (this.#isFinSent) {
      done()
    } else {
      this.#finalDone = done
      this.#host.queueTurn(this)
    }
  }

  override _destroy(error: Error | null, done: Callback): void {
    const isKnownToPeer = this.#openingFlag !== FLAG_SYN
    const isOver = this.#isResetReceived || (this.#isFinSent && this.#isFinReceived)
    if (isKnownToPeer && !isOver) {
      this.#host.queueControl(TYPE_WINDOW_UPDATE, FLAG_RST, this.id, 0)
    }
    this.#host.countUnread(this, -this.#inbox.clear())
    this.#window.close()
    this.#host.forget(this)
    this.#pending = []
    this.#pendingBytes = 0
    // Ended both ways, it still has to say so; anything else is a break.
    if (this.#next !== null && (error || !this.#next.writableEnded)) this.#next.destroy()
    done(error)
  }

  /** The first frame of a stream carries SYN (opener) or ACK (acceptor), whatever frame that is. */
  #takeOpeningFlag(): number {
    const flag = this.#openingFlag
    this.#openingFlag = 0
    return flag
  }

  // `end(chunk)` has marked the Writable as ended by the time of our turn, so FIN leaves in the turn of the last data.
  #isEnding(): boolean {
    if (this.#isFinSent) return false
    if (this.#finalDone !== null || this.#isWriteMoved) return true
    return this.writableEnded && this.writableLength === this.#pendingTotal
  }

  /** The peer has said all that it says here: that was all, or the rest comes over the next stream. */
  #endRead(): void {
    const next = this.#next
    if (this.#isMoving || this.#isReadMoved) return
    if (next === null) {
      this.push(null)
      return
    }
    this.#isReadMoved = true
    this.#leaveLink()
    next.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) next.pause()
    })
    next.on('end', () => this.push(null))
  }

  /** Its number is free for the link once nothing more of it travels there. */
  #leaveLink(): void {
    if (!this.#isReadMoved || !this.#isFinSent) return
    this.#window.close()
    this.#host.forget(this)
  }

  // After a half-close no more data can come, so no more window is granted.
  #grant(unread: number): void {
    if (this.#isFinReceived || this.destroyed) return
    const delta = this.#window.grant(unread)
    if (delta > 0) {
      this.#host.queueControl(TYPE_WINDOW_UPDATE, this.#takeOpeningFlag(), this.id, delta)
    }
  }

  #countCarried(bytes: number): void {
    this.#carriedBytes += bytes
    if (this.#carriedBytes >= BULK_BYTES) this.markBulk()
  }

  #startWrite(buffers: Uint8Array[], bytes: number, done: Callback): void {
    if (bytes === 0) {
      done()
      return
    }
    this.#pending = buffers
    this.#pendingAt = 0
    this.#pendingBytes = bytes
    this.#pendingTotal = bytes
    this.#writeDone = done
    if (this.#sendWindow > 0) this.#host.queueTurn(this)
  }

  #addPayload(out: Outbox, size: number): void {
    let left = size
    this.#pendingBytes -= size
    while (left > 0) {
      const buffer = this.#pending[0] as Uint8Array
      const part = buffer.subarray(this.#pendingAt, this.#pendingAt + left)
      out.addPayload(part)
      left -= part.length
      this.#pendingAt += part.length
      if (this.#pendingAt === buffer.length) {
        this.#pending.shift()
        this.#pendingAt = 0
      }
    }
  }

  #finishWrite(): void {
    this.#pendingTotal = 0
    const writeDone = this.#writeDone
    this.#writeDone = null
    writeDone?.()
    if (!this.#isFinSent) return
    const finalDone = this.#finalDone
    this.#finalDone = null
    finalDone?.()
  }
}

function writeAll(to: Duplex, chunks: { chunk: Buffer }[], done: Callback): void {
  const last = chunks.length - 1
  to.cork()
  for (const [at, { chunk }] of chunks.entries()) to.write(chunk, at === last ? done : undefined)
  to.uncork()
}

function ignoreError(): void {}
