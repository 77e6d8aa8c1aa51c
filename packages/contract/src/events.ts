import { z } from 'zod'

/** Path of the live events (Server-Sent Events) of the signed-in user. */
export const eventsPath = '/api/user/events/'

/** One live event: what changed. The page asks anew for what it shows; the event carries no row. */
export const userEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('router'), id: z.int(), status: z.enum(['online', 'offline']) }),
  z.object({ type: z.literal('router_changed'), id: z.int() }),
  z.object({ type: z.literal('record'), id: z.int(), router: z.int() }),
  z.object({ type: z.literal('announcement') }),
  z.object({ type: z.literal('profile') }),
])

/** One live event of the signed-in user. */
export type UserEvent = z.infer<typeof userEventSchema>
