import { z } from 'zod'
import { defineCall } from '../kit/call.ts'

/** What a captcha stands before: a ticket of one scene opens no other. */
export const captchaScenes = ['login', 'bind', 'rebind', 'reset'] as const

/** Kinds a person solves by eye. The server picks one. */
export const captchaKinds = ['click', 'slide', 'slide_region', 'rotate'] as const

/** The way through without eyes: the browser computes, at most a few times an hour. */
export const workKind = 'work'

/** What a captcha stands before. */
export type CaptchaScene = (typeof captchaScenes)[number]

/** A kind that a person solves by eye. */
export type CaptchaKind = (typeof captchaKinds)[number]

/** Points of a trace at most; a browser that saw more sends an even choice of them. */
export const captchaTraceLimit = 200

const sceneSchema = z.enum(captchaScenes)
const imageSchema = z.string()
const tileShape = {
  image: imageSchema,
  thumb: imageSchema,
  /** Where the tile starts and how large it is, in px of the picture (300 x 220). */
  thumbX: z.int(),
  thumbY: z.int(),
  thumbWidth: z.int(),
  thumbHeight: z.int(),
}

/** A challenge. Images are `data:` addresses; its answer stays with the server. */
export const captchaSchema = z.discriminatedUnion('kind', [
  z.object({
    key: z.string(),
    kind: z.literal('click'),
    image: imageSchema,
    thumb: imageSchema,
  }),
  z.object({ key: z.string(), kind: z.literal('slide'), ...tileShape }),
  z.object({ key: z.string(), kind: z.literal('slide_region'), ...tileShape }),
  z.object({
    key: z.string(),
    kind: z.literal('rotate'),
    image: imageSchema,
    thumb: imageSchema,
    /** Degrees that the disc is turned at the start. */
    angle: z.int(),
    /** Diameter of the disc in px of the picture (220 x 220). */
    thumbSize: z.int(),
  }),
  z.object({
    key: z.string(),
    kind: z.literal(workKind),
    /** For each part, from 0, the SHA-256 of `salt:part:nonce` must begin with this many zero bits. */
    bits: z.int(),
    parts: z.int(),
    salt: z.string(),
  }),
])

/** A challenge. */
export type Captcha = z.infer<typeof captchaSchema>

const pixelSchema = z.int().min(0).max(1000)
const pointSchema = z.object({ x: pixelSchema, y: pixelSchema })

/** What the user did: click a list of points in order, slide and slide_region a point, rotate an angle, work a nonce for each part. */
export const captchaValueSchema = z.union([
  z.array(pointSchema).min(1).max(10),
  pointSchema,
  z.object({ angle: z.int().min(0).max(360) }),
  z.object({ nonces: z.array(z.int().min(0)).min(1).max(64) }),
])

/** What the user did. */
export type CaptchaValue = z.infer<typeof captchaValueSchema>

/** Where the hand was, ms after the challenge was shown: the tile's place, for rotate the angle as x, for click the clicks. */
export const captchaTraceSchema = z
  .array(
    z.object({
      x: z.number().min(-1000).max(1000),
      y: z.number().min(-1000).max(1000),
      t: z.number().min(0).max(600_000),
    }),
  )
  .max(captchaTraceLimit)

/** Where the hand was. */
export type CaptchaTrace = z.infer<typeof captchaTraceSchema>

/** `GET /api/verify/captcha/init/` */
export const initCaptcha = defineCall({
  name: 'initCaptcha',
  method: 'GET',
  path: '/api/verify/captcha/init/',
  summary: 'Whether the next call of a scene has to bring a captcha ticket',
  tag: 'captcha',
  access: 'anyone',
  query: z.object({ scene: sceneSchema }),
  responses: { 200: z.object({ required: z.boolean() }) },
})

/** `GET /captcha/` */
export const getCaptcha = defineCall({
  name: 'getCaptcha',
  method: 'GET',
  path: '/captcha/',
  summary:
    'A new challenge; the server picks its kind (`work` may be asked for, others in development only)',
  tag: 'captcha',
  access: 'anyone',
  query: z.object({ scene: sceneSchema, kind: z.enum([...captchaKinds, workKind]).optional() }),
  responses: { 200: captchaSchema },
  errors: ['busy'],
})

/** `POST /captcha/`: one try for each challenge. */
export const solveCaptcha = defineCall({
  name: 'solveCaptcha',
  method: 'POST',
  path: '/captcha/',
  summary: 'Answer a challenge; the ticket is good once, for 5 minutes, for its scene and address',
  tag: 'captcha',
  access: 'anyone',
  body: z.object({
    key: z.string().min(1).max(100),
    value: captchaValueSchema,
    trace: captchaTraceSchema.optional(),
  }),
  responses: { 200: z.object({ ticket: z.string() }) },
  errors: ['captcha_wrong'],
})

/** The ticket as other calls take it. */
export const captchaTicketSchema = z.string().min(1).max(100)
