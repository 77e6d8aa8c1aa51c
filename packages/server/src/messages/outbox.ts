import type { SentMessage } from '@homeport/contract'
import type { ServerConfig } from '../config.ts'

/** Messages kept at once; the oldest goes when another comes. */
const messageLimit = 100

/** A text message or a mail that goes nowhere. */
export type OutboxMessage = Omit<SentMessage, 'id' | 'at'>

/** Where messages of development end up: in memory, read by whoever is on this machine. */
export interface Outbox {
  add(message: OutboxMessage): void
  /** The newest first. */
  list(): SentMessage[]
}

/** Makes an empty outbox; null outside development, so that nothing can be kept there. */
export function createOutbox({ clock, mode }: Pick<ServerConfig, 'clock' | 'mode'>): Outbox | null {
  if (mode !== 'development') return null
  const messages: SentMessage[] = []
  let lastId = 0
  return {
    add(message) {
      lastId += 1
      messages.unshift({ id: lastId, ...message, at: new Date(clock.now()).toISOString() })
      messages.splice(messageLimit)
    },
    list: () => [...messages],
  }
}
