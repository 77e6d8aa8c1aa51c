import { createServer, request as httpRequest } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ask, listen, startDoor, startTarget, type TestDoor, visit } from './test-door.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const door = async (...options: Parameters<typeof startDoor>): Promise<TestDoor> => {
  const started = await startDoor(...options)
  cleanups.push(started.close)
  return started
}

const target = async (...options: Parameters<typeof startTarget>) => {
  const started = await startTarget(...options)
  cleanups.push(started.close)
  return started
}

/** A target by node's own server, which reads what the door writes. */
const httpTarget = async (...options: Parameters<typeof createServer>) => {
  const server = createServer(...options)
  const port = await listen(server)
  cleanups.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return port
}

test('carries a request and its answer', async () => {
  const port = await httpTarget((request, response) => {
    response.setHeader('X-Seen', `${request.method} ${request.url} ${request.headers.host}`)
    response.end('hello')
  })
  const { port: at, records } = await door(port)
  const text = await ask(
    at,
    'GET /a?b=c HTTP/1.1\r\nHost: nas.localhost\r\nConnection: close\r\n\r\n',
  )
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).toContain('X-Seen: GET /a?b=c nas.localhost\r\n')
  expect(text).toMatch(/\r\n\r\nhello$/)
  expect(records).toMatchObject([{ end: 'done' }])
})
