import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { passwordResetWays } from './recovery.ts'
import { idSchema } from './schemas.ts'
import { ssoProviderSchema } from './sso.ts'

/** What the client must know before it mounts. */
export const settingsSchema = z.object({
  brand: z.string(),
  version: z.string(),
  mode: z.enum(['development', 'production']),
  billing: z.boolean(),
  signup: z.enum(['off', 'invite', 'open']),
  /** Ways to sign in that are switched on. */
  sign_in: z.array(z.enum(['password', 'phone', 'sso'])),
  /** Ways to a new password that are switched on; empty where the operator alone can help. */
  password_reset: z.array(z.enum(passwordResetWays)),
  sso: z.object({
    providers: z.array(ssoProviderSchema),
    /** The JSONP call before `/custom/logout`; null where no provider of ours holds a session. */
    logout_url: z.string().nullable(),
  }),
  /** Origin of the console without a trailing slash. */
  console_url: z.string(),
  /** Parent of all record names. */
  tunnel_domain: z.string(),
  /** Origin of a record with `*` for its name: `http://*.localhost:8080`. */
  record_url_pattern: z.string(),
  languages: z.array(z.string()),
  /** True until the first administrator exists. */
  needs_setup: z.boolean(),
})

/** What the client must know before it mounts. */
export type Settings = z.infer<typeof settingsSchema>

/** `GET /api/site/settings/` */
export const getSettings = defineCall({
  name: 'getSettings',
  method: 'GET',
  path: '/api/site/settings/',
  summary: 'What a client must know before it mounts',
  tag: 'site',
  access: 'anyone',
  responses: { 200: settingsSchema },
})

/** A relay node as the user sees it. */
export const serverSchema = z.object({
  id: z.int(),
  name: z.string(),
  region: z.string(),
  host: z.string(),
  online: z.boolean(),
  /** Share of its capacity in use, 0 to 1. */
  load: z.number(),
  /** Address the browser measures its latency against. */
  latency_url: z.string(),
})

/** A relay node as the user sees it. */
export type Server = z.infer<typeof serverSchema>

/** `GET /api/user/servers/` */
export const listServers = defineCall({
  name: 'listServers',
  method: 'GET',
  path: '/api/user/servers/',
  summary: 'Relays a device can use',
  tag: 'site',
  access: 'signed_in',
  responses: { 200: z.array(serverSchema) },
})

/** An announcement; `url` is empty or an http(s) address. */
export const announcementSchema = z.object({
  id: z.int(),
  title: z.string(),
  detail: z.string(),
  url: z.string(),
  display: z.boolean(),
})

/** An announcement; `url` is empty or an http(s) address. */
export type Announcement = z.infer<typeof announcementSchema>

/** `GET /api/announcement/announcements/` */
export const listAnnouncements = defineCall({
  name: 'listAnnouncements',
  method: 'GET',
  path: '/api/announcement/announcements/',
  summary: 'All announcements, oldest first',
  tag: 'site',
  access: 'anyone',
  responses: { 200: z.array(announcementSchema) },
})

const announcementFields = z.object({
  title: z.string().trim().min(1).max(100),
  detail: z.string().trim().min(1).max(2000),
  url: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(500)]).default(''),
  display: z.boolean().default(true),
})

/** `POST /api/admin/announcements/` */
export const createAnnouncement = defineCall({
  name: 'createAnnouncement',
  method: 'POST',
  path: '/api/admin/announcements/',
  summary: 'Publish an announcement',
  tag: 'staff',
  access: 'staff',
  body: announcementFields,
  responses: { 201: announcementSchema },
})

/** `DELETE /api/admin/announcements/{id}/` */
export const deleteAnnouncement = defineCall({
  name: 'deleteAnnouncement',
  method: 'DELETE',
  path: '/api/admin/announcements/{id}/',
  summary: 'Take an announcement back',
  tag: 'staff',
  access: 'staff',
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: ['not_found'],
})
