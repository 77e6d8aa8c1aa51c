import type { Duplex } from 'node:stream'
import { type Clock, systemClock } from '../clock.ts'
import { TunnelError, toTunnelError } from '../errors.ts'
import { closeLingering } from '../linger.ts'
import { countReadBytes } from '../young-buffers.ts'
import { Allowance } from './allowance.ts'
import { DEFAULT_YAMUX_CONFIG, type YamuxConfig } from './config.ts'
import {
  FLAG_ACK,
  FLAG_FIN,
  FLAG_RST,
  FLAG_SYN,
  GO_AWAY_INTERNAL_ERROR,
  GO_AWAY_NORMAL,
  GO_AWAY_PROTOCOL_ERROR,
  TYPE_DATA,
  TYPE_GO_AWAY,
  TYPE_PING,
  TYPE_WINDOW_UPDATE,
} from './constants.ts'
import { Decoder, type FrameSink } from './decode.ts'
import { Outbox } from './encode.ts'
import { Liveness } from './liveness.ts'
import { Round } from './round.ts'
import { type StreamHost, YamuxStream } from './stream.ts'
import type { UnreadBudget, UnreadHolder } from './unread-budget.ts'

/** What a muxer needs. */
export interface MuxerOptions {
  /** Any Duplex that carries bytes in order: TCP, TLS, a websocket. The muxer owns it from here on. */
  readonly socket: Duplex
  /** The client opens odd streams, the server even ones. An agent is the client of its link. */
  readonly role: 'client' | 'server'
  readonly config?: Partial<YamuxConfig> | undefined
  readonly clock?: Clock | undefined
  /** Bytes that were read past the handshake. */
  readonly head?: Buffer | undefined
  /** Shared by all links of a process; beside it each link keeps to its own `unreadLimitBytes`. */
  readonly unreadBudget?: UnreadBudget | undefined
}

/** 128 KiB that were not taken for so long: less than 256 KiB a second pass. */
const STUCK_MS = 500
/** A round trip that grew by so much, on top of fourfold, is a queue and not the way's jitter. */
const INFLATION_MS = 250

/** Many streams over one connection (yamux version 0). */
export class Muxer {
  /** Settles once, with the reason, when the link is over; never rejects. */
  readonly closed: Promise<TunnelError>
  readonly #socket: Duplex
  readonly #config: YamuxConfig
  readonly #clock: Clock
  readonly #decoder: Decoder
  readonly #liveness: Liveness
  readonly #idleFrames: Allowance
  readonly #streams = new Map<number, YamuxStream>()
  readonly #host: StreamHost
  readonly #outbox = new Outbox()
  readonly #round = new Round()
  readonly #unreadBudget: UnreadBudget | null
  readonly #unreadHolder: UnreadHolder
  /** Frames without payload that wait, four numbers each: type, flags, stream, length. */
  #control: number[] = []
  #isFlushPlanned = false
  #isBatchUnderWay = false
  #batchStartedAt = 0
  #bulkCount = 0
  #bulkHandler: (() => void) | null = null
  #nextId: number
  #lastRemoteId = 0
  #inboundCount = 0
  #unreadBytes = 0
  #growthBytes = 0
  #backlog: YamuxStream[] = []
  #handler: ((stream: YamuxStream) => void) | null = null
  #payloadStream: YamuxStream | null = null
  #isPayloadLast = false
  #isAwaySent = false
  #isAwayReceived = false
  #goAwayHandler: (() => void) | null = null
  #closeReason: TunnelError | null = null
  #settleClosed!: (reason: TunnelError) => void
  #settleIdle: (() => void) | null = null

  constructor(options: MuxerOptions) {
    const { socket, role, clock = systemClock } = options
    this.#socket = socket
    this.#clock = clock
    this.#config = { ...DEFAULT_YAMUX_CONFIG, ...options.config }
    this.#nextId = role === 'client' ? 1 : 2
    this.closed = new Promise(resolve => {
      this.#settleClosed = resolve
    })
    this.#host = this.#createHost()
    this.#unreadHolder = this.#createUnreadHolder()
    this.#unreadBudget = options.unreadBudget ?? null
    this.#unreadBudget?.join(this.#unreadHolder)
    this.#decoder = new Decoder(this.#createSink())
    const { idleFrameBurst, idleFramesPerSecond } = this.#config
    this.#idleFrames = new Allowance(idleFrameBurst, idleFramesPerSecond, () => clock.now())
    this.#liveness = new Liveness({
      clock,
      pingIntervalMs: this.#config.pingIntervalMs,
      silenceLimitMs: this.#config.silenceLimitMs,
      sendPing: value => this.#queueControl(TYPE_PING, FLAG_SYN, 0, value),
      onDead: () => this.destroy(new TunnelError('link_silent')),
    })
    socket.on('data', this.#onChunk)
    socket.on('error', cause => this.destroy(toTunnelError(cause, 'link_lost')))
    socket.on('end', () => this.destroy(new TunnelError('link_lost', { detail: 'peer ended' })))
    socket.on('close', () => this.destroy(new TunnelError('link_lost')))
    if (options.head !== undefined && options.head.length > 0) this.#onChunk(options.head)
    if (socket.destroyed) this.destroy(new TunnelError('link_lost'))
    else socket.resume()
  }

  /** Streams open now, of both sides. */
  get streamCount(): number {
    return this.#streams.size
  }

  /** The last round trip in milliseconds, 0 while unknown. */
  get roundTripMs(): number {
    return this.#liveness.roundTripMs
  }

  /** The smallest round trip so far in milliseconds, 0 while unknown. */
  get minRoundTripMs(): number {
    return this.#liveness.minRoundTripMs
  }

  /** Streams open now that are bulk transfers; a small one behind them waits. */
  get bulkCount(): number {
    return this.#bulkCount
  }

  /** Does the line lag behind what is put on it: one batch is not taken, or a ping comes back much later than it could? */
  get isCongested(): boolean {
    const waitedMs = this.#isBatchUnderWay ? this.#clock.now() - this.#batchStartedAt : 0
    const { roundTripMs, minRoundTripMs } = this.#liveness
    return waitedMs > STUCK_MS || roundTripMs > 4 * minRoundTripMs + INFLATION_MS
  }

  /** May `openStream` be called? False once either side said go-away, or the link is over. */
  get isOpen(): boolean {
    return this.#closeReason === null && !this.#isAwaySent && !this.#isAwayReceived
  }

  /** Opens a stream at once; its first frame tells the peer. Throws `stream_limit`, `link_lost` or a draining code. */
  openStream(): YamuxStream {
    if (this.#closeReason !== null) throw this.#closeReason
    if (!this.isOpen) {
      const isAgent = this.#nextId % 2 === 1
      throw new TunnelError(isAgent === this.#isAwayReceived ? 'relay_draining' : 'agent_draining')
    }
    const outbound = this.#streams.size - this.#inboundCount
    if (outbound >= this.#config.outboundStreamLimit || this.#nextId > 0xffffffff) {
      throw new TunnelError('stream_limit')
    }
    const stream = new YamuxStream(this.#host, this.#nextId, true)
    this.#nextId += 2
    this.#streams.set(stream.id, stream)
    this.#queueTurn(stream)
    return stream
  }

  /** Names who takes the peer's streams; those that came before are handed over now. */
  acceptStreams(handler: (stream: YamuxStream) => void): void {
    this.#handler = handler
    const waiting = this.#backlog
    this.#backlog = []
    for (const stream of waiting) if (!stream.destroyed) handler(stream)
  }

  /** Names who hears that the peer will take no more streams; those that are open go on. */
  onGoAway(handler: () => void): void {
    this.#goAwayHandler = handler
    if (this.#isAwayReceived) handler()
  }

  /** Names who hears each time a stream turns out to be a bulk transfer. */
  onBulk(handler: () => void): void {
    this.#bulkHandler = handler
  }

  /** Takes no more streams and tells the peer; those that are open go on. */
  goAway(): void {
    if (this.#isAwaySent || this.#closeReason !== null) return
    this.#isAwaySent = true
    this.#queueControl(TYPE_GO_AWAY, 0, 0, GO_AWAY_NORMAL)
  }

  /** Says go-away, waits until only lasting streams are left or `timeoutMs` passed, then closes. */
  async drain(timeoutMs: number): Promise<void> {
    this.goAway()
    if (!this.#isIdle() && this.#closeReason === null) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = this.#clock.setTimeout(resolve, timeoutMs)
      this.#settleIdle = resolve
      await Promise.race([promise, this.closed])
      this.#clock.clearTimeout(timer)
    }
    this.close()
  }

  /** Ends the link in order: what streams have ready (a batch at most), go-away (normal), then they fail with `link_lost`. */
  close(): void {
    if (this.#closeReason === null) this.#collect()
    this.destroy(new TunnelError('link_lost', { detail: 'closed by this side' }), GO_AWAY_NORMAL)
  }

  /** Ends the link for a reason. The peer is told by a go-away where the code says that it may still hear it. */
  destroy(reason: TunnelError, goAwayCode = goAwayCodeOf(reason)): void {
    if (this.#closeReason !== null) return
    this.#closeReason = reason
    this.#liveness.stop()
    this.#socket.off('data', this.#onChunk)
    for (const stream of [...this.#streams.values()]) stream.destroy(reason)
    this.#streams.clear()
    this.#unreadBudget?.leave(this.#unreadHolder)
    this.#round.clear()
    this.#control = []
    this.#backlog = []
    this.#payloadStream = null
    if (goAwayCode === null || !this.#socket.writable) {
      this.#socket.destroy()
    } else {
      this.#outbox.addHeader(TYPE_GO_AWAY, 0, 0, goAwayCode)
      this.#outbox.writeTo(this.#socket, ignoreResult)
      closeLingering(this.#socket, this.#clock)
    }
    this.#settleClosed(reason)
  }

  readonly #onChunk = (chunk: Buffer): void => {
    if (this.#closeReason !== null) return
    this.#liveness.hear()
    countReadBytes(chunk.length)
    try {
      this.#decoder.push(chunk)
    } catch (cause) {
      this.destroy(toTunnelError(cause))
    }
  }

  #createSink(): FrameSink {
    return {
      onFrame: (type, flags, streamId, length) => {
        // A handler of ours may have closed the link in the middle of a chunk.
        if (this.#closeReason !== null) throw this.#closeReason
        if (type <= TYPE_WINDOW_UPDATE) this.#onStreamFrame(type, flags, streamId, length)
        else if (type === TYPE_PING) this.#onPing(flags, length)
        else this.#onGoAwayFrame(length)
      },
      onPayload: (part, isLast) => {
        const stream = this.#payloadStream
        if (stream === null) return
        stream.receive(part)
        if (!isLast) return
        this.#payloadStream = null
        if (this.#isPayloadLast) stream.receiveFin()
      },
    }
  }

  #onStreamFrame(type: number, flags: number, streamId: number, length: number): void {
    let stream = this.#streams.get(streamId)
    if ((flags & FLAG_SYN) !== 0) stream = this.#takeSyn(streamId, flags)
    else if (stream === undefined) this.#checkWasOpened(streamId)
    const isReset = (flags & FLAG_RST) !== 0
    this.#payloadStream = null
    if (flags === 0 && length === 0) this.#takeIdleFrame()
    if (stream === undefined) return
    if (isReset) {
      // Opened and reset before we said a word costs the peer nothing and us a dial.
      if (!stream.isOutbound && !stream.isAnswered) this.#takeIdleFrame()
      stream.receiveReset()
      return
    }
    const isFin = (flags & FLAG_FIN) !== 0
    if (stream.isFinReceived && (isFin || type === TYPE_DATA)) throw broken('data after FIN')
    if (type === TYPE_WINDOW_UPDATE) {
      if (!stream.widen(length)) throw broken('window above 32 bits')
    } else if (length > 0) {
      if (!stream.spendWindow(length)) throw broken(`window of stream ${streamId} overrun`)
      this.#payloadStream = stream
      this.#isPayloadLast = isFin
      return
    }
    if (isFin) stream.receiveFin()
  }

  #takeSyn(streamId: number, flags: number): YamuxStream | undefined {
    if (streamId % 2 === this.#nextId % 2 || streamId <= this.#lastRemoteId) {
      throw broken(`SYN on stream ${streamId}`)
    }
    this.#lastRemoteId = streamId
    const isReset = (flags & FLAG_RST) !== 0
    const isFull =
      this.#isAwaySent ||
      this.#inboundCount >= this.#config.inboundStreamLimit ||
      (this.#handler === null && this.#backlog.length >= this.#config.backlogLimit)
    if (isFull || isReset) {
      this.#takeIdleFrame()
      if (!isReset) this.#queueControl(TYPE_WINDOW_UPDATE, FLAG_RST, streamId, 0)
      return undefined
    }
    const stream = new YamuxStream(this.#host, streamId, false)
    this.#streams.set(streamId, stream)
    this.#inboundCount += 1
    if (this.#handler === null) this.#backlog.push(stream)
    else this.#handler(stream)
    return stream
  }

  // Frames of a stream that is over are still on their way; frames of one that never was are a fault.
  #checkWasOpened(streamId: number): void {
    const isOurs = streamId % 2 === this.#nextId % 2
    if (isOurs ? streamId >= this.#nextId : streamId > this.#lastRemoteId) {
      throw broken(`stream ${streamId} was never opened`)
    }
  }

  #onPing(flags: number, value: number): void {
    if ((flags & FLAG_ACK) !== 0) {
      this.#liveness.takeEcho(value)
    } else {
      this.#takeIdleFrame()
      this.#queueControl(TYPE_PING, FLAG_ACK, 0, value)
    }
  }

  #onGoAwayFrame(code: number): void {
    if (code !== GO_AWAY_NORMAL) {
      const detail = `peer closed with code ${code}`
      this.destroy(new TunnelError('link_lost', { detail }), null)
      return
    }
    this.#takeIdleFrame()
    if (this.#isAwayReceived) return
    this.#isAwayReceived = true
    this.#goAwayHandler?.()
  }

  #takeIdleFrame(): void {
    if (!this.#idleFrames.take()) throw new TunnelError('flood')
  }

  #queueControl(type: number, flags: number, streamId: number, length: number): void {
    if (this.#closeReason !== null) return
    this.#control.push(type, flags, streamId, length)
    // Thrown here it could reach a caller who has nothing to do with it.
    if (this.#control.length > this.#config.controlQueueLimit * 4) {
      this.destroy(new TunnelError('flood', { detail: 'peer does not read' }))
      return
    }
    this.#planFlush()
  }

  #queueTurn(stream: YamuxStream): void {
    if (this.#closeReason !== null) return
    this.#round.add(stream)
    this.#planFlush()
  }

  // Once in a turn of the event loop: what many visitors sent meanwhile leaves in one write.
  #planFlush(): void {
    if (this.#isFlushPlanned || this.#isBatchUnderWay) return
    this.#isFlushPlanned = true
    setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    this.#isFlushPlanned = false
    if (this.#closeReason !== null) return
    this.#collect()
    if (this.#outbox.bytes === 0 || this.#closeReason !== null) return
    this.#isBatchUnderWay = true
    this.#batchStartedAt = this.#clock.now()
    // What leaves here was read from a target or a visitor.
    countReadBytes(this.#outbox.bytes)
    this.#outbox.writeTo(this.#socket, this.#onBatchDone)
  }

  #collect(): void {
    const out = this.#outbox
    const control = this.#control
    if (control.length > 0) {
      this.#control = []
      for (let i = 0; i < control.length; i += 4) {
        out.addHeader(
          control[i] as number,
          control[i + 1] as number,
          control[i + 2] as number,
          control[i + 3] as number,
        )
      }
    }
    this.#round.run(out, this.#config.batchLimitBytes)
  }

  // The one waker: a batch that ended on its byte limit goes on here, whether or not the socket ever said "drain".
  readonly #onBatchDone = (error?: Error | null): void => {
    this.#isBatchUnderWay = false
    if (error) this.destroy(toTunnelError(error, 'link_lost'))
    else if (this.#control.length > 0 || !this.#round.isEmpty) this.#planFlush()
  }

  #createHost(): StreamHost {
    const muxer = this
    return {
      windowLimitBytes: this.#config.windowLimitBytes,
      get minRoundTripMs() {
        return muxer.#liveness.minRoundTripMs
      },
      now: () => this.#clock.now(),
      queueTurn: stream => this.#queueTurn(stream),
      queueControl: (type, flags, streamId, length) =>
        this.#queueControl(type, flags, streamId, length),
      countUnread: (_stream, bytes) => {
        this.#unreadBytes += bytes
        if (bytes > 0 && this.#unreadBytes > this.#config.unreadLimitBytes) this.#shed()
        this.#unreadBudget?.count(bytes)
      },
      reserveGrowth: bytes => {
        const granted = Math.min(bytes, this.#config.windowGrowthLimitBytes - this.#growthBytes)
        this.#growthBytes += granted
        return granted
      },
      releaseGrowth: bytes => {
        this.#growthBytes -= bytes
      },
      countBulk: () => {
        this.#bulkCount += 1
        this.#bulkHandler?.()
      },
      forget: stream => {
        if (!this.#streams.delete(stream.id)) return
        if (stream.isBulk) this.#bulkCount -= 1
        if (!stream.isOutbound) this.#inboundCount -= 1
        const waiting = this.#backlog.indexOf(stream)
        if (waiting >= 0) this.#backlog.splice(waiting, 1)
        if (this.#settleIdle !== null && this.#isIdle()) this.#settleIdle()
      },
    }
  }

  #createUnreadHolder(): UnreadHolder {
    const muxer = this
    return {
      get unreadBytes() {
        return muxer.#unreadBytes
      },
      shed: () => this.#shed(),
    }
  }

  #isIdle(): boolean {
    for (const stream of this.#streams.values()) if (!stream.isLasting) return false
    return true
  }

  // Windows cannot be taken back once granted, so the reader that is furthest behind pays.
  #shed(): void {
    let fullest: YamuxStream | null = null
    for (const stream of this.#streams.values()) {
      if (fullest === null || stream.unreadBytes > fullest.unreadBytes) fullest = stream
    }
    fullest?.destroy(new TunnelError('memory_limit'))
  }
}

function ignoreResult(): void {}

function broken(detail: string): TunnelError {
  return new TunnelError('protocol_error', { detail })
}

function goAwayCodeOf(reason: TunnelError): number | null {
  switch (reason.code) {
    case 'link_lost':
    case 'link_silent':
      return null
    case 'protocol_error':
    case 'flood':
      return GO_AWAY_PROTOCOL_ERROR
    case 'internal':
      return GO_AWAY_INTERNAL_ERROR
    default:
      return GO_AWAY_NORMAL
  }
}
