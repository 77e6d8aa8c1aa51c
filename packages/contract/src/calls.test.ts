import { describe, expect, it } from 'vitest'
import { labelSchema } from './calls/records.ts'
import { calls } from './calls.ts'
import { toOpenApi } from './kit/openapi.ts'

describe('the contract', () => {
  it('has one call for each method and path, each with a name of its own', () => {
    const routes = calls.map(call => `${call.method} ${call.path}`)
    expect(new Set(routes).size).toBe(routes.length)
    expect(new Set(calls.map(call => call.name)).size).toBe(calls.length)
  })

  it('ends every path with a slash and declares every parameter of it', () => {
    for (const call of calls) {
      // Sign-ons have a manner of their own: `GET /sso/events`, `POST /custom/sso/start`.
      expect(call.path).toMatch(/^\/(?:(api|captcha|custom)\/(.*\/)?|(custom\/)?sso\/[a-z]+)$/)
      const named = [...call.path.matchAll(/\{(\w+)\}/g)].map(match => match[1])
      expect(Object.keys(call.params?.shape ?? {})).toEqual(named)
    }
  })

  it('has the calls of the specification with their paths to the letter', () => {
    const routes = new Set(calls.map(call => `${call.method} ${call.path}`))
    for (const route of [
      'GET /api/profile/',
      'PATCH /api/profile/{id}/',
      'POST /custom/login/',
      'GET /custom/router_info/',
      'PATCH /custom/profile/',
      'POST /custom/password/',
      'GET /custom/check/',
      'POST /custom/sso/start',
      'GET /api/user/routers/',
      'PATCH /api/user/routers/{id}/',
      'DELETE /api/user/routers/{id}/',
      'POST /api/user/routers/{id}/check_domain_connection/',
      'GET /api/user/token-sign/',
      'GET /api/user/servers/',
      'POST /api/user/records/',
      'PATCH /api/user/records/{id}/',
      'DELETE /api/user/records/{id}/',
      'GET /api/login_status/',
      'GET /sso/events',
      'GET /api/announcement/announcements/',
      'GET /api/router_info/',
    ]) {
      expect(routes).toContain(route)
    }
  })

  it('describes every call in the OpenAPI document', () => {
    const paths = toOpenApi('1.0.0').paths as Record<
      string,
      Record<string, { operationId: string }>
    >
    for (const call of calls) {
      expect(paths[call.path]?.[call.method.toLowerCase()]?.operationId).toBe(call.name)
    }
  })
})

describe('labels', () => {
  it.each(['nas', 'a', 'my-nas-2', 'x'.repeat(63)])('takes %s', label => {
    expect(labelSchema.parse(label)).toBe(label)
  })

  it.each([
    '',
    '-a',
    'a-',
    'a.b',
    'a_b',
    '归港',
    'xn--fiqs8s',
    'x'.repeat(64),
    'www',
    'console',
    'a b',
  ])('refuses "%s"', label => expect(labelSchema.safeParse(label).success).toBe(false))

  it('folds case', () => expect(labelSchema.parse(' NAS ')).toBe('nas'))
})
