import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { signInWays } from './accounts.ts'
import { recordOptionsSchema } from './records.ts'
import { instantSchema } from './schemas.ts'

/** Copies of the own data that an account may take in a day. */
export const exportsPerDay = 5

const noteSchema = instantSchema.nullable()

/**
 * Everything that is kept about one account, without secrets: no password, token, key or code, in whatever form. A field
 * or a list may be added; what is there keeps its meaning while `format` stays the same.
 */
export const ownDataSchema = z.object({
  format: z.literal('homeport-own-data/1'),
  exported_at: instantSchema,
  /** The console it was taken from. */
  console_url: z.string(),
  profile: z.object({
    id: z.int(),
    username: z.string(),
    email: z.string(),
    /** E.164; empty where none is bound. */
    phone_number: z.string(),
    phone_bound_at: noteSchema,
    /** An address that waits for its link to be opened; empty where none does. */
    email_pending: z.string(),
    is_staff: z.boolean(),
    is_superuser: z.boolean(),
    is_promoter: z.boolean(),
    created_at: instantSchema,
    /** The largest announcement that was read. */
    readed_announcement_id: z.int(),
    terms_of_service: z.object({ version: z.string().nullable(), accepted_at: noteSchema }),
    terms_of_payment: z.object({ version: z.string().nullable(), accepted_at: noteSchema }),
  }),
  two_step_codes: z.object({ enabled_at: noteSchema, recovery_codes_left: z.int() }),
  passkeys: z.array(
    z.object({
      name: z.string(),
      is_synced: z.boolean(),
      created_at: instantSchema,
      last_used_at: noteSchema,
    }),
  ),
  /** Who the account is at other services. */
  identities: z.array(
    z.object({
      provider: z.string(),
      subject: z.string(),
      display_name: z.string(),
      created_at: instantSchema,
      last_used_at: noteSchema,
    }),
  ),
  /** Those of the last day that have ended, too. */
  sessions: z.array(
    z.object({
      user_agent: z.string(),
      address: z.string(),
      way: z.enum(signInWays),
      second_factor: z.boolean(),
      created_at: instantSchema,
      last_seen_at: instantSchema,
      ended_at: noteSchema,
    }),
  ),
  devices: z.array(
    z.object({
      id: z.int(),
      uid: z.string(),
      name: z.string(),
      remark: z.string(),
      model: z.string(),
      agent: z.string(),
      agent_version: z.string(),
      public_ip: z.string(),
      lan_ip: z.string(),
      paused: z.boolean(),
      created_at: instantSchema,
      last_seen_at: noteSchema,
    }),
  ),
  records: z.array(
    z.object({
      id: z.int(),
      device: z.int(),
      name: z.string(),
      kind: z.string(),
      target: z.string(),
      port: z.int().nullable(),
      remark: z.string(),
      enabled: z.boolean(),
      access: z.array(z.string()),
      options: recordOptionsSchema,
      created_at: instantSchema,
      updated_at: instantSchema,
    }),
  ),
  /** Names that were given back and rest for the account. */
  resting_names: z.array(z.object({ name: z.string(), until: instantSchema })),
  /** Sign-up links that the account made or used. */
  invites: z.array(
    z.object({
      role: z.enum(['made', 'used']),
      remark: z.string(),
      created_at: instantSchema,
      expires_at: instantSchema,
      used_at: noteSchema,
    }),
  ),
  /** What each record carried, hour by hour; the record itself may be gone. */
  usage: z.array(
    z.object({
      hour: instantSchema,
      record: z.int(),
      device: z.int(),
      requests: z.int(),
      bytes_in: z.int(),
      bytes_out: z.int(),
    }),
  ),
})

/** Everything that is kept about one account, without secrets. */
export type OwnData = z.infer<typeof ownDataSchema>

/** `POST /api/user/export/`: a file; at most five a day. */
export const exportOwnData = defineCall({
  name: 'exportOwnData',
  method: 'POST',
  path: '/api/user/export/',
  summary: 'Everything that is kept about the own account, without secrets',
  tag: 'account',
  access: 'recent',
  responses: { 200: ownDataSchema },
})
