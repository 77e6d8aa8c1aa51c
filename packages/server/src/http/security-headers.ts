import type { FastifyInstance } from 'fastify'

/**
 * The console's policy. Scripts come from our own files alone; styles also inline, because antd writes its style elements at
 * run time; `data:` and `blob:` images are captchas and QR codes.
 */
export const consolePolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "frame-src 'none'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The policy of a page that the server writes itself: one style element and at most one script, named by their hashes. */
export const plainPagePolicy = (styleHash: string, scriptHash?: string) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    ...(scriptHash === undefined
      ? []
      : [`script-src 'sha256-${scriptHash}'`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Headers of every answer; a route may replace one. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': consolePolicy,
  'X-Content-Type-Options': 'nosniff',
  // Not `no-referrer`: with that, browsers send `Origin: null` with our own forms, and the origin check would refuse them.
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), ' +
    'microphone=(), midi=(), payment=(), usb=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
}

/** One year; sent on https only, where alone it counts (RFC 6797 section 7.2). */
const transportSecurity = 'max-age=31536000'

/** Puts the headers on every answer, errors too. What a route set itself stays. */
export function installSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    for (const [name, value] of Object.entries(securityHeaders)) {
      if (!reply.hasHeader(name)) reply.header(name, value)
    }
    if (request.facts?.secure) reply.header('Strict-Transport-Security', transportSecurity)
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
  })
}
