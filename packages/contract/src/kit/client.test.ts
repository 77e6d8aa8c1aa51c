import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineCall } from './call.ts'
import { type CallError, type Client, createClient } from './client.ts'

const readThing = defineCall({
  name: 'readThing',
  method: 'GET',
  path: '/things/{id}/',
  summary: '',
  tag: 'test',
  access: 'anyone',
  params: z.object({ id: z.string() }),
  query: z.object({ search: z.string().optional(), limit: z.int().optional() }),
  responses: { 200: z.object({ name: z.string() }) },
})

const makeThing = defineCall({
  name: 'makeThing',
  method: 'POST',
  path: '/things/',
  summary: '',
  tag: 'test',
  access: 'anyone',
  body: z.object({ name: z.string() }),
  responses: { 201: z.object({ name: z.string() }), 204: null },
})

let server: Server
let client: Client
let answer: { status: number; body: string; headers?: Record<string, string> } | 'silence'
let asked: { url: string | undefined; headers: IncomingMessage['headers']; body: string }

beforeEach(async () => {
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked = { url: request.url, headers: request.headers, body }
    if (answer === 'silence') return
    response.writeHead(answer.status, answer.headers)
    response.end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  client = createClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetch,
    headers: () => ({ 'X-Test': 'yes' }),
  })
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const failure = async (work: Promise<unknown>) =>
  (await work.then(
    () => expect.unreachable('the call should have failed'),
    error => error,
  )) as CallError

describe('the typed client', () => {
  it('keeps the trailing slash, escapes parameters and leaves absent ones out', async () => {
    answer = { status: 200, body: '{"name":"n","secret":"cut"}' }
    const thing = await client.call(readThing, {
      params: { id: 'a/b' },
      query: { search: '归 港' },
    })
    expect(asked.url).toBe('/things/a%2Fb/?search=%E5%BD%92+%E6%B8%AF')
    expect(asked.headers['x-test']).toBe('yes')
    expect(thing).toEqual({ name: 'n' })
  })

  it.each([200, 201, 204, 299])('takes %i for success', async status => {
    answer = { status, body: status === 204 ? '' : '{"name":"n"}' }
    await client.call(makeThing, { body: { name: 'n' } })
    expect(asked.headers['content-type']).toBe('application/json')
    expect(JSON.parse(asked.body)).toEqual({ name: 'n' })
  })

  it('gives the code, the sentence and every input problem of a refusal', async () => {
    const errors = [{ path: 'name', code: 'too_small', message: '太短' }]
    const problem = {
      type: 'about:blank',
      title: 't',
      status: 422,
      code: 'invalid_input',
      detail: '不对',
    }
    answer = { status: 422, body: JSON.stringify({ ...problem, errors, request_id: 'r1' }) }
    const error = await failure(client.call(makeThing, { body: { name: '' } }))
    expect(error).toMatchObject({
      code: 'invalid_input',
      status: 422,
      message: '不对',
      errors,
      requestId: 'r1',
    })
  })

  it('reads when to come back', async () => {
    answer = { status: 429, body: '', headers: { 'retry-after': '17' } }
    const error = await failure(client.call(makeThing, { body: { name: '' } }))
    expect(error).toMatchObject({ code: 'unknown', status: 429, retryAfterSeconds: 17 })
  })

  it.each([
    ['a page of a proxy', 502, '<html>', 'unknown'],
    [
      'a code of a newer server',
      409,
      '{"type":"","title":"","status":409,"code":"newer","detail":"d","request_id":"r"}',
      'unknown',
    ],
    ['success that is not JSON', 200, '<html>', 'unreadable'],
    ['success of another shape', 200, '{"title":1}', 'unreadable'],
  ])('does not trust %s', async (_, status, body, code) => {
    answer = { status, body }
    const error = await failure(client.call(readThing, { params: { id: '1' } }))
    expect(error.code).toBe(code)
    expect(error.message).not.toContain('<html>')
  })

  it('tells a time-out, an abort and a dead server apart', async () => {
    answer = 'silence'
    const timeout = failure(client.call(readThing, { params: { id: '1' } }, { timeoutMs: 30 }))
    expect((await timeout).code).toBe('timeout')
    const controller = new AbortController()
    const aborted = failure(
      client.call(readThing, { params: { id: '1' } }, { signal: controller.signal }),
    )
    controller.abort()
    expect((await aborted).code).toBe('aborted')
    server.closeAllConnections()
    server.close()
    expect((await failure(client.call(readThing, { params: { id: '1' } }))).code).toBe('network')
  })
})
