import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { idSchema, instantSchema } from './schemas.ts'
import { parseTarget } from './target.ts'

/** The visitor's side of a record. */
export const recordKinds = ['http', 'tcp'] as const
/** The visitor's side of a record. */
export type RecordKind = (typeof recordKinds)[number]

/** Ways into a record; any one of a record's list is enough. */
export const accessWays = ['owner', 'public'] as const
/** A way into a record. */
export type AccessWay = (typeof accessWays)[number]

/** Labels nobody may take: they look like the service itself, or mail and name systems use them. */
export const reservedLabels: ReadonlySet<string> = new Set(
  (
    'www admin administrator api app apps auth account accounts billing blog cdn console dashboard dns docs ' +
    'ftp gate git help homeport imap internal localhost login mail mx ns ns1 ns2 official pay payment pop ' +
    'pop3 portal postmaster register relay root secure security server signup smtp sso staff static status ' +
    'support system test tunnel verify webmail wpad autoconfig autodiscover broadcasthost isatap'
  ).split(' '),
)

/** The label of a record: lower-case letters, digits, inner hyphens, 63 at most, not `xn--`, not reserved. */
export const labelSchema = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
  .refine(label => !label.startsWith('xn--'))
  .refine(label => !reservedLabels.has(label), { params: { code: 'reserved' } })

/** The home side of a record: scheme, host and port, as `parseTarget` reads it; kept in its canonical form. */
export const targetSchema = z
  .string()
  .trim()
  .max(300)
  .transform((text, context) => {
    const target = parseTarget(text)
    if (target.ok) return target.url
    context.addIssue({ code: 'custom', message: target.code, params: { code: target.code } })
    return z.NEVER
  })

const hostnameSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/)

/** How a record's requests are fitted to its target. */
export const recordOptionsSchema = z.object({
  /** What the target sees as `Host`: its own authority, the public name, or a fixed one. */
  host_header: z
    .union([z.literal('target'), z.literal('public'), hostnameSchema])
    .default('target'),
  /** Whether an https target must show a certificate that the home's system trusts. */
  tls_verify: z.boolean().default(false),
  /** Name sent by SNI to an https target; empty: the target's own host name. */
  tls_server_name: z.union([z.literal(''), hostnameSchema]).default(''),
})

/** How a record's requests are fitted to its target. */
export type RecordOptions = z.infer<typeof recordOptionsSchema>

/** One public name (or port) that leads to one target in the LAN of one device. */
export const recordSchema = z.object({
  id: z.int(),
  router: z.int(),
  name: z.string(),
  kind: z.enum(recordKinds),
  target: z.string(),
  remark: z.string(),
  enabled: z.boolean(),
  access: z.array(z.enum(accessWays)),
  options: recordOptionsSchema,
  /** Address to open: `http://nas.localhost:8080`, `tcp://nas.localhost:20001`. */
  url: z.string(),
  /** Port of the pool for a tcp record. */
  port: z.int().nullable(),
  created_at: instantSchema,
  updated_at: instantSchema,
})

/** One public name (or port) that leads to one target in the LAN of one device. */
export type RecordRow = z.infer<typeof recordSchema>

const recordFields = z.object({
  name: labelSchema,
  target: targetSchema,
  remark: z.string().trim().max(200),
  enabled: z.boolean(),
  access: z.array(z.enum(accessWays)).min(1).max(accessWays.length),
  options: recordOptionsSchema,
})

/** `POST /api/user/records/` */
export const createRecord = defineCall({
  name: 'createRecord',
  method: 'POST',
  path: '/api/user/records/',
  summary: 'Publish something of a device under a name',
  tag: 'records',
  access: 'signed_in',
  body: recordFields.partial({ remark: true, enabled: true, access: true, options: true }).extend({
    router: z.int().positive(),
    kind: z.enum(recordKinds).default('http'),
  }),
  responses: { 201: recordSchema },
  errors: ['name_taken', 'record_limit', 'access_needs_http', 'port_pool_exhausted'],
})

/** `PATCH /api/user/records/{id}/` */
export const patchRecord = defineCall({
  name: 'patchRecord',
  method: 'PATCH',
  path: '/api/user/records/{id}/',
  summary: 'Change a record; live at the relay in under a second',
  tag: 'records',
  access: 'signed_in',
  params: z.object({ id: idSchema }),
  body: recordFields.partial(),
  responses: { 200: recordSchema },
  errors: ['not_found', 'name_taken', 'access_needs_http'],
})

/** `DELETE /api/user/records/{id}/` */
export const deleteRecord = defineCall({
  name: 'deleteRecord',
  method: 'DELETE',
  path: '/api/user/records/{id}/',
  summary: 'Take a record back; its name stays reserved to its owner for 30 days',
  tag: 'records',
  access: 'signed_in',
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: ['not_found'],
})
