import { Readable } from 'node:stream'
import type { UserEvent } from '@homeport/contract'
import type { Clock } from '@homeport/runtime'
import type { Actor } from '../http/actor.ts'
import type { EventBus } from './bus.ts'

/** A comment is sent every so many ms, so that nothing in between takes the stream for dead. */
const heartbeatMs = 15_000

/** The browser tries again this many ms after a stream ended. */
const retryMs = 3_000

/** Streams of one user; the oldest ends when another begins. */
const streamsPerUserLimit = 10

/** Bytes that may wait for a page that does not read; beyond them its stream ends and it asks everything anew. */
const waitingLimitBytes = 64 * 1024

/** Open event streams of one server. */
export interface EventStreams {
  /** Opens the stream of a session; it ends with the session, the server, or a page that does not read. */
  open(actor: Actor): Readable
  /** Streams that are open. */
  count(): number
  /** Ends all streams. */
  close(): void
}

interface OpenStream {
  body: Readable
  end(): void
}

/** Makes the registry. */
export function createEventStreams({ bus, clock }: { bus: EventBus; clock: Clock }): EventStreams {
  const byUser = new Map<number, OpenStream[]>()
  let isClosed = false

  function remove(actor: Actor, stream: OpenStream): void {
    const rest = (byUser.get(actor.userId) ?? []).filter(other => other !== stream)
    if (rest.length === 0) byUser.delete(actor.userId)
    else byUser.set(actor.userId, rest)
  }

  return {
    open(actor) {
      // Nothing is produced on demand: events come when they come.
      const body = new Readable({ read: () => {}, highWaterMark: waitingLimitBytes })
      const stream: OpenStream = { body, end: () => body.push(null) }
      const send = (text: string) => {
        if (body.destroyed || body.readableEnded) return
        // What is bounded is what waits here; the socket's own buffer has its bound too.
        if (body.readableLength + text.length > waitingLimitBytes) body.destroy()
        else body.push(text)
      }
      const stopEvents = bus.subscribe(actor.userId, event => send(formatEvent(event)))
      const stopEnds = bus.onSessionEnd(end => {
        if (end.sessionId === actor.sessionId) stream.end()
      })
      const heartbeat = clock.setInterval(() => {
        if (clock.now() >= actor.sessionExpiresAt) stream.end()
        else send(': \n\n')
      }, heartbeatMs)
      body.once('close', () => {
        heartbeat.cancel()
        stopEvents()
        stopEnds()
        remove(actor, stream)
      })

      const own = byUser.get(actor.userId) ?? []
      if (own.length >= streamsPerUserLimit) own[0]?.end()
      byUser.set(actor.userId, [...own.slice(-(streamsPerUserLimit - 1)), stream])
      send(`retry: ${retryMs}\n\n`)
      if (isClosed) stream.end()
      return body
    },
    count: () => [...byUser.values()].reduce((sum, streams) => sum + streams.length, 0),
    close() {
      isClosed = true
      for (const streams of [...byUser.values()]) for (const stream of streams) stream.end()
    },
  }
}

// JSON of one line: a line break inside would end the field.
const formatEvent = (event: UserEvent) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
