import type { Clock } from '../clock.ts'

/** What the liveness of a link is made of. */
export interface LivenessOptions {
  readonly clock: Clock
  readonly pingIntervalMs: number
  readonly silenceLimitMs: number
  sendPing(value: number): void
  /** Nothing was received for the silence limit; called once. */
  onDead(): void
}

/** A timer that fired this late tells of a stall of ours, not of the peer's silence. */
const LATE_MS = 1_000

/** Pings a peer, measures the round trip and notices its silence. Any byte received counts as a sign of life. */
export class Liveness {
  /** The last round trip in milliseconds, 0 while unknown. */
  roundTripMs = 0
  /** The smallest round trip seen, 0 while unknown. */
  minRoundTripMs = 0
  readonly #options: LivenessOptions
  #lastHeardAt: number
  #nextPingAt: number
  #pingValue = 0
  #pingSentAt: number | null = null
  #timer: unknown
  #dueAt = 0

  constructor(options: LivenessOptions) {
    this.#options = options
    const now = options.clock.now()
    this.#lastHeardAt = now
    this.#nextPingAt = now
    this.#look()
  }

  /** Something was received. */
  hear(): void {
    this.#lastHeardAt = this.#options.clock.now()
  }

  /** The peer echoed a ping; an echo of anything but the last one says nothing. */
  takeEcho(value: number): void {
    if (this.#pingSentAt === null || value !== this.#pingValue) return
    this.roundTripMs = Math.max(this.#options.clock.now() - this.#pingSentAt, 0.001)
    this.#pingSentAt = null
    if (this.minRoundTripMs === 0 || this.roundTripMs < this.minRoundTripMs) {
      this.minRoundTripMs = this.roundTripMs
    }
  }

  stop(): void {
    this.#options.clock.clearTimeout(this.#timer)
  }

  #look(): void {
    const { clock, pingIntervalMs, silenceLimitMs } = this.#options
    const now = clock.now()
    if (now >= this.#nextPingAt) {
      this.#pingValue = (this.#pingValue + 1) >>> 0
      this.#pingSentAt = now
      this.#nextPingAt = now + pingIntervalMs
      this.#options.sendPing(this.#pingValue)
    }
    this.#arm(Math.min(this.#nextPingAt, this.#lastHeardAt + silenceLimitMs))
  }

  #arm(dueAt: number): void {
    const { clock } = this.#options
    this.#dueAt = dueAt
    this.#timer = clock.setTimeout(() => this.#onTimer(), Math.max(0, dueAt - clock.now()))
  }

  #onTimer(): void {
    const { clock, silenceLimitMs } = this.#options
    const now = clock.now()
    if (now - this.#lastHeardAt < silenceLimitMs) this.#look()
    // What the peer sent while this process stood still waits in the socket: read it first.
    else if (now - this.#dueAt > LATE_MS) this.#arm(now + LATE_MS)
    else this.#options.onDead()
  }
}
