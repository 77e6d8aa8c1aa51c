import { z } from 'zod'
import { seal, unseal } from './seal.ts'

/** Query parameter that carries a ticket to the name; cut before anything is forwarded. */
export const ticketParameter = '__hp_ticket'

/** Path prefix on every public name that belongs to the gate. */
export const gatePrefix = '/.homeport/'

/** A ticket lives this long in ms. */
export const ticketLifetimeMs = 60_000

/** A gate cookie lives at most this long in ms. */
export const gateLifetimeMs = 12 * 60 * 60 * 1000

/** Names of the gate's cookies; the prefix makes a sibling name unable to toss one in on https. */
export const gateCookies = (secure: boolean) =>
  secure
    ? { gate: '__Host-hp_gate', nonce: '__Host-hp_nonce' }
    : { gate: 'hp_gate', nonce: 'hp_nonce' }

const passSchema = z.object({
  /** Lower-case host name the pass is for, without a port. */
  host: z.string(),
  record: z.int(),
  user: z.int(),
  /** Public id of the console session that the pass dies with. */
  session: z.string(),
  /** Epoch ms. */
  expiresAt: z.int(),
})

const ticketSchema = passSchema.extend({
  /** SHA-256 of the nonce cookie it was asked for, base64url. */
  n: z.string(),
})

/** What a gate cookie says. */
export type GatePass = z.infer<typeof passSchema>

/** What a ticket says: a pass bound to the browser that holds the nonce. */
export type GateTicket = z.infer<typeof ticketSchema>

/** Makes the one-minute ticket (server). */
export const sealTicket = (key: Buffer, ticket: GateTicket) => seal(key, 'gate-ticket', ticket)

/** Reads a ticket (relay); null where it is forged, malformed or expired. */
export function unsealTicket(key: Buffer, text: string, now: number): GateTicket | null {
  const ticket = unseal(key, 'gate-ticket', ticketSchema, text)
  return ticket !== null && ticket.expiresAt > now ? ticket : null
}

/** Makes the value of a gate cookie (relay). */
export const sealPass = (key: Buffer, pass: GatePass) => seal(key, 'gate-cookie', pass)

/** Reads a gate cookie (relay); null where it is forged, malformed or expired. */
export function unsealPass(key: Buffer, text: string, now: number): GatePass | null {
  const pass = unseal(key, 'gate-cookie', passSchema, text)
  return pass !== null && pass.expiresAt > now ? pass : null
}
