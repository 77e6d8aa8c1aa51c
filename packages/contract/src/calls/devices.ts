import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { accessWays, recordSchema } from './records.ts'
import { idSchema, instantSchema, listQuery, pageOf, typedSecretSchema } from './schemas.ts'

/** A device (`router` in paths): anything that runs an agent. */
export const routerSchema = z.object({
  id: z.int(),
  uid: z.string(),
  name: z.string(),
  remark: z.string(),
  model: z.string(),
  agent: z.string(),
  agent_version: z.string(),
  status: z.enum(['online', 'offline']),
  /** Id of the relay its session is at; null while it is offline. */
  server: z.int().nullable(),
  public_ip: z.string(),
  lan_ip: z.string(),
  last_seen_at: instantSchema.nullable(),
  /** Another machine holds a copy of this device's key, and lately asked to be let in with it. */
  is_key_shared: z.boolean(),
  active_plan: z.int().nullable(),
  longest_plan_due_date: instantSchema.nullable(),
  has_active_non_free_plan: z.boolean(),
  paused: z.boolean(),
  records: z.array(recordSchema),
  created_at: instantSchema,
})

/** A device: anything that runs an agent. */
export type RouterRow = z.infer<typeof routerSchema>

/** `GET /api/user/routers/` */
export const listRouters = defineCall({
  name: 'listRouters',
  method: 'GET',
  path: '/api/user/routers/',
  summary: 'Own devices with their records',
  tag: 'devices',
  access: 'signed_in',
  query: listQuery(
    ['name', '-name', 'created_at', '-created_at', 'last_seen_at', '-last_seen_at'],
    500,
  ).extend({
    id: idSchema.optional(),
  }),
  responses: { 200: pageOf(routerSchema) },
})

/** `PATCH /api/user/routers/{id}/` */
export const patchRouter = defineCall({
  name: 'patchRouter',
  method: 'PATCH',
  path: '/api/user/routers/{id}/',
  summary: 'Rename, remark, pause or wake a device',
  tag: 'devices',
  access: 'signed_in',
  params: z.object({ id: idSchema }),
  body: z
    .object({
      name: z.string().trim().min(1).max(64),
      remark: z.string().trim().max(200),
      paused: z.boolean(),
    })
    .partial(),
  responses: { 200: routerSchema },
  errors: ['not_found'],
})

/** `DELETE /api/user/routers/{id}/` */
export const deleteRouter = defineCall({
  name: 'deleteRouter',
  method: 'DELETE',
  path: '/api/user/routers/{id}/',
  summary: 'Unbind a device: its credential dies at once, its names stay reserved for 30 days',
  tag: 'devices',
  access: 'signed_in',
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: ['not_found'],
})

/** Steps of a connection check, in the order they are tried. */
export const checkSteps = ['dns', 'relay', 'device', 'target', 'response'] as const

/** One step: `ok` and `ms` are null where it was not reached; `hint` is a sentence with the next thing to do. */
export const checkStepSchema = z.object({
  step: z.enum(checkSteps),
  ok: z.boolean().nullable(),
  ms: z.number().nullable(),
  code: z.string(),
  hint: z.string(),
})

/** `POST /api/user/routers/{id}/check_domain_connection/` */
export const checkDomainConnection = defineCall({
  name: 'checkDomainConnection',
  method: 'POST',
  path: '/api/user/routers/{id}/check_domain_connection/',
  summary: 'Probe a record through the relay, step by step',
  tag: 'devices',
  access: 'signed_in',
  params: z.object({ id: idSchema }),
  body: z.object({ record: z.int().positive() }),
  responses: { 200: z.object({ ok: z.boolean(), steps: z.array(checkStepSchema) }) },
  errors: ['not_found', 'relay_unavailable'],
})

/** Why a name does not lead anywhere for the asker; `ok` where it does. */
export const nameReasons = ['ok', 'unknown', 'offline', 'disabled', 'paused', 'denied'] as const

/** `GET /api/router_info/` */
export const getRouterInfo = defineCall({
  name: 'getRouterInfo',
  method: 'GET',
  path: '/api/router_info/',
  summary: 'What may be told of a name: everything to its owner, little to others',
  tag: 'devices',
  access: 'signed_in',
  query: z.object({ domain: z.string().trim().toLowerCase().min(1).max(253) }),
  responses: {
    200: z.object({
      domain: z.string(),
      reason: z.enum(nameReasons),
      device_name: z.string().nullable(),
      /** The owner's name, masked for everybody else. */
      owner: z.string().nullable(),
      online: z.boolean().nullable(),
      access: z.array(z.enum(accessWays)),
      /** Ids for the owner only. */
      router: z.int().nullable(),
      record: z.int().nullable(),
    }),
  },
})

const deviceFacts = {
  /** Ed25519 public key: 32 raw bytes, base64url. */
  public_key: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  name: z.string().trim().min(1).max(64),
  model: z.string().trim().max(64).default(''),
  agent: z.string().trim().max(32).default('homeport-agent'),
  agent_version: z.string().trim().max(32).default(''),
}

const pairedSchema = z.object({ uid: z.string() })

/** `POST /api/agent/pair/`: binds a device with the account's token or its signed form. */
export const pairDevice = defineCall({
  name: 'pairDevice',
  method: 'POST',
  path: '/api/agent/pair/',
  summary: 'Bind a device with a token or its signed form',
  tag: 'agent',
  access: 'agent',
  body: z.object({ token: typedSecretSchema.max(512), ...deviceFacts }),
  responses: { 201: pairedSchema },
  errors: ['pairing_token_invalid', 'device_limit'],
})

/** `POST /api/agent/pairings/`: a device without a token asks to be bound by whoever opens `url` signed in. */
export const startPairing = defineCall({
  name: 'startPairing',
  method: 'POST',
  path: '/api/agent/pairings/',
  summary: 'Ask to be bound: answers an address to open while signed in',
  tag: 'agent',
  access: 'agent',
  body: z.object(deviceFacts),
  responses: {
    201: z.object({ pairing: z.string(), url: z.string(), expires_at: instantSchema }),
  },
  errors: ['busy'],
})

const pairingParam = z.object({ pairing: z.string().regex(/^[A-Za-z0-9_-]{22}$/) })

/** `GET /api/agent/pairings/{pairing}/`: asked by the waiting device; `uid` once it is bound. */
export const getPairing = defineCall({
  name: 'getPairing',
  method: 'GET',
  path: '/api/agent/pairings/{pairing}/',
  summary: 'Whether a waiting device was bound',
  tag: 'agent',
  access: 'agent',
  params: pairingParam,
  responses: { 200: z.object({ uid: z.string().nullable(), expires_at: instantSchema }) },
  errors: ['pairing_not_found'],
})

/** `GET /custom/router_info/` */
export const getPairingInfo = defineCall({
  name: 'getPairingInfo',
  method: 'GET',
  path: '/custom/router_info/',
  summary: 'What the bind page shows of a device that waits to be bound',
  tag: 'devices',
  access: 'signed_in',
  query: pairingParam,
  responses: {
    200: z.object({
      name: z.string(),
      model: z.string(),
      agent: z.string(),
      agent_version: z.string(),
      address: z.string(),
      bound: z.boolean(),
      expires_at: instantSchema,
    }),
  },
  errors: ['pairing_not_found'],
})

/** `POST /api/user/pairings/{pairing}/bind/` */
export const bindPairing = defineCall({
  name: 'bindPairing',
  method: 'POST',
  path: '/api/user/pairings/{pairing}/bind/',
  summary: 'Bind a waiting device to the own account',
  tag: 'devices',
  access: 'signed_in',
  params: pairingParam,
  responses: { 201: routerSchema },
  errors: ['pairing_not_found', 'device_limit'],
})
