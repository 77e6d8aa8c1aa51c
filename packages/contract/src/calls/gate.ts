import { z } from 'zod'
import { defineCall } from '../kit/call.ts'

/** `POST /api/user/gate-tickets/`: the signed-in half of the way round (decisions.md section 5). */
export const createGateTicket = defineCall({
  name: 'createGateTicket',
  method: 'POST',
  path: '/api/user/gate-tickets/',
  summary: 'A one-minute ticket into a record, as the address to replace the browser with',
  tag: 'gate',
  access: 'signed_in',
  body: z.object({
    url: z.string().max(4096),
    /** SHA-256 of the nonce cookie on the name, base64url; absent where no relay asked for it. */
    n: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43}$/)
      .optional(),
  }),
  responses: { 200: z.object({ location: z.string() }) },
  errors: ['gate_denied', 'url_unknown'],
})
