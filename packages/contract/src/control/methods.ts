import { z } from 'zod'
import { checkStepSchema } from '../calls/devices.ts'
import { accessWays, recordKinds, recordOptionsSchema } from '../calls/records.ts'

/** Where a visitor knocked: a host name (lower case, no port) or a port of the pool. */
export const routeKeySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('host'), host: z.string().max(253) }),
  z.object({ kind: z.literal('port'), port: z.int() }),
])
/** Where a visitor knocked. */
export type RouteKey = z.infer<typeof routeKeySchema>

/** Everything a relay needs to carry visitors to a record. */
export const routeSchema = z.object({
  record: z.int(),
  /** Uid of the device that reaches the target. */
  device: z.string(),
  device_id: z.int(),
  owner: z.int(),
  kind: z.enum(recordKinds),
  host: z.string(),
  port: z.int().nullable(),
  /** Canonical target of `parseTarget`. */
  target: z.string(),
  access: z.array(z.enum(accessWays)),
  options: recordOptionsSchema,
})
/** Everything a relay needs to carry visitors to a record. */
export type Route = z.infer<typeof routeSchema>

const routeDenials = ['unknown_name', 'record_disabled', 'device_paused'] as const
/** Why a name leads nowhere. */
export type RouteDenial = (typeof routeDenials)[number]

/** The answer to "where does this lead": valid until told otherwise, or for `max_age_ms` at most. */
export const routeDecisionSchema = z.discriminatedUnion('allow', [
  z.object({ allow: z.literal(true), route: routeSchema, max_age_ms: z.int() }),
  z.object({ allow: z.literal(false), code: z.enum(routeDenials), max_age_ms: z.int() }),
])
/** The answer to "where does this lead". */
export type RouteDecision = z.infer<typeof routeDecisionSchema>

/** One device's presence at a relay. */
export const deviceSessionSchema = z.object({
  device: z.string(),
  session: z.string(),
  agent_version: z.string().max(32),
  model: z.string().max(64),
  public_ip: z.string().max(64),
  lan_ip: z.string().max(64),
  /** Epoch ms. */
  connected_at: z.int(),
  /** When another agent with the same device key last asked to be let in, epoch ms of the server's date; absent where none did. */
  shared_at: z.int().optional(),
})
/** One device's presence at a relay. */
export type DeviceSession = z.infer<typeof deviceSessionSchema>

/** What a flow or a batch of flows of one record used since the last report. */
export const usageSchema = z.object({
  record: z.int(),
  requests: z.int(),
  bytes_in: z.int(),
  bytes_out: z.int(),
})
/** What one record used since the last report. */
export type Usage = z.infer<typeof usageSchema>

/** Asked by the relay, answered by the server. */
export const relayRequests = {
  /** First message of a relay on every (re)connection: who it is and whom it carries. */
  hello: {
    params: z.object({
      relay: z.string().max(64),
      version: z.string().max(32),
      sessions: z.array(deviceSessionSchema),
    }),
    result: z.object({
      /** Key of tickets and gate cookies, 32 bytes base64url. */
      gate_key: z.string(),
      /** Origin of the console without a trailing slash. */
      console_url: z.string(),
      tunnel_domain: z.string(),
      /** The server's date in epoch ms: it dates tickets, whatever the relay's own clock says. Absent from older servers. */
      now: z.int().optional(),
      /** Public ids of console sessions that ended within the last 12 hours: their gate cookies are dead. */
      ended_sessions: z.array(z.string()),
      /** Ports of the pool that lead to enabled records. */
      ports: z.array(z.int()),
    }),
  },
  resolve: { params: routeKeySchema, result: routeDecisionSchema },
  /** The credential of a device; null where it is unknown or revoked, `suspended` where it may come again another day. */
  device_key: {
    params: z.object({ device: z.string().max(64) }),
    result: z.union([z.object({ public_key: z.string() }), z.literal('suspended')]).nullable(),
  },
} as const

/** Told by the relay; no answer. */
export const relayNotices = {
  session_opened: deviceSessionSchema,
  session_closed: z.object({ device: z.string(), session: z.string(), reason: z.string() }),
  usage: z.array(usageSchema),
} as const

/** Asked by the server, answered by the relay. */
export const serverRequests = {
  /** A real request through the relay: the steps behind dns and relay. */
  probe: { params: routeSchema, result: z.array(checkStepSchema) },
} as const

/** Told by the server; no answer. */
export const serverNotices = {
  /** Decisions on these keys are stale; ports are opened or closed as the new decision says. */
  routes_changed: z.array(routeKeySchema),
  /** The device's credential died: its links end now and it is told why. */
  device_revoked: z.object({ device: z.string(), code: z.enum(['deleted', 'paused']) }),
  /** Gate cookies of this console session are dead from now on. */
  console_session_ended: z.object({ session: z.string() }),
} as const
