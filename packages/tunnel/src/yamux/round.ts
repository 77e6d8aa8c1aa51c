import type { Outbox } from './encode.ts'
import type { YamuxStream } from './stream.ts'

/** The streams that want to write, in turn: one frame each, then again from the first. */
export class Round {
  #first: YamuxStream | null = null
  #last: YamuxStream | null = null

  get isEmpty(): boolean {
    return this.#first === null
  }

  /** Puts a stream at the end, once. */
  add(stream: YamuxStream): void {
    if (stream.isQueued) return
    stream.isQueued = true
    if (this.#last === null) this.#first = stream
    else this.#last.nextInRound = stream
    this.#last = stream
  }

  /** Gives turns until the batch is full or nobody has anything to send. */
  run(out: Outbox, batchLimitBytes: number): void {
    while (out.bytes < batchLimitBytes) {
      const stream = this.#first
      if (stream === null) return
      this.#first = stream.nextInRound
      if (this.#first === null) this.#last = null
      stream.nextInRound = null
      stream.isQueued = false
      if (stream.takeTurn(out)) this.add(stream)
    }
  }

  clear(): void {
    this.#first = null
    this.#last = null
  }
}
