import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { createLogger } from '@homeport/runtime'
import { expect, it } from 'vitest'
import { createServer } from './server.ts'
import { startTestServer } from './testing.ts'

const logger = createLogger({ level: 'silent', name: 'test' })

it('listens on a private socket that others of the machine cannot open', async () => {
  const test = await startTestServer()
  const { listen } = test.settings
  const { mode } = await stat('path' in listen ? listen.path : '')
  expect(mode & 0o777).toBe(0o600)
  await test.stop()
})

it('stops in time while a request hangs half sent', async () => {
  const test = await startTestServer()
  const { listen } = test.settings
  const socket = connect('path' in listen ? listen.path : '')
  await once(socket, 'connect')
  socket.write('POST /custom/login/ HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc')
  const closed = once(socket, 'close')
  socket.on('error', () => {}) // a reset is one way for it to close
  socket.resume()
  // Connections are accepted in order: once this one is answered the other is there too.
  expect((await test.open().get('/healthz')).status).toBe(200)
  const stopped = test.stop()
  test.clock.advance(5_000)
  await Promise.all([stopped, closed])
})

it('keeps what it stored over a restart, and makes the administrator on the first start only', async () => {
  const test = await startTestServer()
  const browser = await test.signIn()
  await browser.send('PATCH', '/custom/profile/', { username: 'renamed' })
  const { clock, settings } = test
  await test.server.stop()
  const again = await createServer({ ...settings, clock, logger })
  await again.start()
  expect(again.setupLink()).toBeNull()
  expect((await browser.get('/api/profile/')).json()).toMatchObject([{ username: 'renamed' }])
  await again.stop()
  await test.stop()
})

it('refuses a secret key of another length', async () => {
  const test = await startTestServer()
  const { clock, settings } = test
  const start = createServer({
    ...settings,
    secretKey: Buffer.alloc(31),
    clock,
    logger,
  })
  await expect(start).rejects.toThrow('32 bytes')
  await test.stop()
})
