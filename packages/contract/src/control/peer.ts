import { z } from 'zod'
import type { ControlChannel } from './channel.ts'
import { relayNotices, relayRequests, serverNotices, serverRequests } from './methods.ts'

type RequestTable = Record<string, { params: z.ZodType; result: z.ZodType }>
type NoticeTable = Record<string, z.ZodType>

/** Why a request over the control link has no result. */
export type ControlFailure = 'closed' | 'timeout' | 'failed' | 'malformed'

/** Thrown by `request`. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly code: ControlFailure

  constructor(code: ControlFailure, detail: string) {
    super(`control link: ${detail}`)
    this.code = code
  }
}

type Handlers<R extends RequestTable, N extends NoticeTable> = {
  [key in keyof R]: (
    params: z.output<R[key]['params']>,
  ) => z.input<R[key]['result']> | Promise<z.input<R[key]['result']>>
} & { [key in keyof N]: (params: z.output<N[key]>) => void }

/** One end of the control link. */
export interface ControlPeer<R extends RequestTable, N extends NoticeTable> {
  /** Asks the other side; rejects with ControlError after `timeoutMs` (5000) or when the link closes. */
  request<K extends keyof R & string>(
    method: K,
    params: z.input<R[K]['params']>,
    options?: { timeoutMs?: number },
  ): Promise<z.output<R[K]['result']>>
  /** Tells the other side; nothing comes back. */
  notify<K extends keyof N & string>(method: K, params: z.input<N[K]>): void
  close(): void
  /** Resolves when the link is gone. */
  readonly closed: Promise<void>
}

/** Called with faults of handlers and with messages that could not be read; never with the messages' content. */
export type ControlFaultListener = (fault: { method: string; cause: unknown }) => void

const messageSchema = z.union([
  z.object({ id: z.int(), method: z.string(), params: z.unknown() }),
  z.object({ id: z.int(), result: z.unknown() }),
  z.object({ id: z.int(), error: z.string() }),
  z.object({ method: z.string(), params: z.unknown() }),
])

/** The relay's end. */
export const createRelayPeer = (
  channel: ControlChannel,
  handlers: Handlers<typeof serverRequests, typeof serverNotices>,
  onFault: ControlFaultListener,
) =>
  createPeer(channel, {
    asks: relayRequests,
    tells: relayNotices,
    answers: serverRequests,
    hears: serverNotices,
    handlers,
    onFault,
  })

/** The server's end. */
export const createServerPeer = (
  channel: ControlChannel,
  handlers: Handlers<typeof relayRequests, typeof relayNotices>,
  onFault: ControlFaultListener,
) =>
  createPeer(channel, {
    asks: serverRequests,
    tells: serverNotices,
    answers: relayRequests,
    hears: relayNotices,
    handlers,
    onFault,
  })

/** The relay's end of the control link. */
export type RelayPeer = ReturnType<typeof createRelayPeer>
/** The server's end of the control link. */
export type ServerPeer = ReturnType<typeof createServerPeer>

interface Sides<A extends RequestTable, T extends NoticeTable> {
  asks: A
  tells: T
  answers: RequestTable
  hears: NoticeTable
  handlers: Record<string, (params: never) => unknown>
  onFault: ControlFaultListener
}

// The method's name comes from the other side: `constructor` must not find what every object inherits.
const own = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: ControlError) => void
  timer: ReturnType<typeof setTimeout>
}

function createPeer<A extends RequestTable, T extends NoticeTable>(
  channel: ControlChannel,
  sides: Sides<A, T>,
): ControlPeer<A, T> {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let isClosed = false
  const closed = new Promise<void>(resolve => channel.onClose(resolve)).then(() => {
    isClosed = true
    for (const [id, wait] of waiting)
      settle(id, () => wait.reject(new ControlError('closed', 'closed')))
  })

  function settle(id: number, act: (wait: Waiting) => void): void {
    const wait = waiting.get(id)
    if (wait === undefined) return
    waiting.delete(id)
    clearTimeout(wait.timer)
    act(wait)
  }

  async function answer(id: number, method: string, raw: unknown): Promise<void> {
    const definition = own(sides.answers, method)
    const handler = own(sides.handlers, method)
    try {
      if (definition === undefined || handler === undefined) throw new Error('unknown method')
      const result = await handler(definition.params.parse(raw) as never)
      channel.send({ id, result })
    } catch (cause) {
      sides.onFault({ method, cause })
      channel.send({ id, error: 'failed' })
    }
  }

  function hear(method: string, raw: unknown): void {
    const schema = own(sides.hears, method)
    const handler = own(sides.handlers, method)
    try {
      if (schema === undefined || handler === undefined) throw new Error('unknown notice')
      handler(schema.parse(raw) as never)
    } catch (cause) {
      sides.onFault({ method, cause })
    }
  }

  channel.onMessage(raw => {
    const parsed = messageSchema.safeParse(raw)
    if (!parsed.success) return sides.onFault({ method: '', cause: parsed.error })
    const message = parsed.data
    if ('method' in message) {
      if ('id' in message) void answer(message.id, message.method, message.params)
      else hear(message.method, message.params)
    } else if ('error' in message) {
      settle(message.id, wait => wait.reject(new ControlError('failed', message.error)))
    } else {
      settle(message.id, wait => wait.resolve(message.result))
    }
  })

  return {
    async request(method, params, { timeoutMs = 5000 } = {}) {
      if (isClosed) throw new ControlError('closed', `${method}: closed`)
      const id = ++lastId
      const result = await new Promise<unknown>((resolve, reject) => {
        const timer = setTimeout(
          () =>
            settle(id, wait => wait.reject(new ControlError('timeout', `${method}: no answer`))),
          timeoutMs,
        )
        waiting.set(id, { resolve, reject, timer })
        try {
          channel.send({ id, method, params })
        } catch {
          // A value no channel can carry; the sender's own mistake must not wait for the time-out.
          settle(id, wait => wait.reject(new ControlError('failed', `${method}: cannot be sent`)))
        }
      })
      const parsed = sides.asks[method]?.result.safeParse(result)
      if (parsed?.success !== true)
        throw new ControlError('malformed', `${method}: unreadable answer`)
      return parsed.data as never
    },
    notify(method, params) {
      channel.send({ method, params })
    },
    close: () => channel.close(),
    closed,
  }
}
