import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { instantSchema } from './schemas.ts'

/** What the server would have sent to a person, kept in development instead. */
export const sentMessageSchema = z.object({
  id: z.int(),
  kind: z.enum(['sms', 'mail']),
  /** A telephone number or an e-mail address. */
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  /** The part of the text that the reader came for: a code or a link. Null where there is none. */
  code: z.string().nullable(),
  at: instantSchema,
})

/** What the server would have sent to a person. */
export type SentMessage = z.infer<typeof sentMessageSchema>

/** `GET /api/development/outbox/`: 404 outside development, and for whoever is not on this machine. */
export const listOutbox = defineCall({
  name: 'listOutbox',
  method: 'GET',
  path: '/api/development/outbox/',
  summary: 'The newest 100 text messages and mails of this process, newest first; development only',
  tag: 'site',
  access: 'anyone',
  responses: { 200: z.array(sentMessageSchema) },
  errors: ['not_found'],
})
