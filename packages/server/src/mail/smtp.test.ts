import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { createLogger } from '@homeport/runtime'
import { createManualClock } from '@homeport/runtime/testing'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import type { ServerConfig } from '../config.ts'
import { createMailer } from './mailer.ts'
import type { SmtpSettings } from './settings.ts'
import { createSmtpCarrier, type LetterCarrier, SmtpError } from './smtp.ts'

interface Received {
  from: string
  to: string[]
  text: string
  isSecure: boolean
  user: unknown
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A real SMTP server on loopback (with a certificate that nobody vouches for). */
async function startSmtp(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === 'li' && password === 'hunter2') done(null, { user: username })
      else done(new Error('wrong'))
    },
    async onData(stream, session, done) {
      received.push({
        from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address,
        to: session.envelope.rcptTo.map(({ address }) => address),
        text: await readText(stream),
        isSecure: session.secure === true,
        user: session.user,
      })
      done()
    },
    ...options,
  })
  // A client that goes away in the middle of TLS is what some of these tests are about.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  closing.push(() => new Promise(resolve => server.close(() => resolve())))
  return { port: (server.server.address() as AddressInfo).port, received }
}

const settingsOf = (port: number, more: Partial<SmtpSettings> = {}): SmtpSettings => ({
  host: '127.0.0.1',
  port,
  isImplicitTls: false,
  from: '归港 <noreply@example.com>',
  ...more,
})
const letter = { to: 'li@example.com', subject: '确认邮箱', text: '您好\n' }
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error as SmtpError,
  )

describe('a carrier', () => {
  it('begins TLS, signs in and hands the letter over', async () => {
    const { port, received } = await startSmtp()
    await createSmtpCarrier(settingsOf(port, { user: 'li', password: 'hunter2' })).carry(letter)
    expect(received).toMatchObject([
      { from: 'noreply@example.com', to: ['li@example.com'], isSecure: true, user: 'li' },
    ])
    expect(received[0]?.text).toContain('=?UTF-8?')
  })

  it('speaks TLS from the first byte where told', async () => {
    const { port, received } = await startSmtp({ secure: true })
    await createSmtpCarrier(settingsOf(port, { isImplicitTls: true })).carry(letter)
    expect(received).toMatchObject([{ isSecure: true }])
  })

  it('does without TLS on this machine alone', async () => {
    const { port, received } = await startSmtp({
      hideSTARTTLS: true,
      disabledCommands: ['STARTTLS'],
    })
    await createSmtpCarrier(settingsOf(port)).carry(letter)
    expect(received).toMatchObject([{ isSecure: false }])
    // The same server under a name that is not plainly this machine: nothing is said in the clear.
    const elsewhere = settingsOf(port, { host: '0.0.0.0', user: 'li', password: 'hunter2' })
    const fault = await faultOf(createSmtpCarrier(elsewhere).carry(letter))
    expect(fault).toBeInstanceOf(SmtpError)
    expect(received).toHaveLength(1)
  })

  it('trusts no certificate of another machine that nobody vouches for', async () => {
    const { port, received } = await startSmtp()
    const fault = await faultOf(
      createSmtpCarrier(settingsOf(port, { host: '0.0.0.0' })).carry(letter),
    )
    expect(fault).toBeInstanceOf(SmtpError)
    expect(received).toEqual([])
  })

  it('tells a refusal from a fault that may pass, and quotes neither', async () => {
    const refuse = (status: number) =>
      startSmtp({
        onRcptTo(_address, _session, done) {
          done(Object.assign(new Error('no li@example.com here'), { responseCode: status }))
        },
      })
    const never = await faultOf(
      createSmtpCarrier(settingsOf((await refuse(550)).port)).carry(letter),
    )
    expect([never.isTemporary, never.message]).toEqual([false, expect.stringContaining('550')])
    const later = await faultOf(
      createSmtpCarrier(settingsOf((await refuse(451)).port)).carry(letter),
    )
    expect(later.isTemporary).toBe(true)
    const { port } = await startSmtp()
    const wrong = settingsOf(port, { user: 'li', password: 'wrong-password' })
    const denied = await faultOf(createSmtpCarrier(wrong).carry(letter))
    expect(denied.isTemporary).toBe(false)
    for (const { message } of [never, later, denied]) {
      expect(message).not.toMatch(/li@example|wrong-password/)
    }
  })

  it('gives up a server that says nothing', async () => {
    const silent = net.createServer(socket => socket.on('error', () => undefined))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    closing.push(() => new Promise(resolve => silent.close(() => resolve())))
    const { port } = silent.address() as AddressInfo
    const carrier = createSmtpCarrier(settingsOf(port), { timeoutMs: 50 })
    expect((await faultOf(carrier.carry(letter))).isTemporary).toBe(true)
  })
})

describe('the mailer', () => {
  const lines: string[] = []
  const logger = createLogger({
    level: 'debug',
    name: 'test',
    destination: { write: line => void lines.push(line) },
  })
  const open = (carrier: LetterCarrier | null) => {
    const clock = createManualClock()
    const config = {} as ServerConfig
    return { clock, mailer: createMailer({ config, clock, logger, outbox: null }, carrier) }
  }

  it('tries three times where a fault may pass, and once where it may not', async () => {
    for (const [isTemporary, most] of [
      [true, 3],
      [false, 1],
    ] as const) {
      let tries = 0
      const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const { clock, mailer } = open({
        async carry() {
          tries += 1
          asked[tries - 1]?.resolve()
          throw new SmtpError(isTemporary, 'ECONNECTION')
        },
      })
      mailer.send(letter)
      await asked[0]?.promise
      if (isTemporary) {
        await new Promise(setImmediate)
        clock.advance(2_000)
        await asked[1]?.promise
        await new Promise(setImmediate)
        clock.advance(20_000)
      }
      await mailer.settled()
      expect(tries).toBe(most)
    }
    expect(lines.join('')).toContain('a mail was not sent')
    expect(lines.join('')).not.toContain('li@example.com')
  })

  it('lets a bounded number wait, and ends with the server', async () => {
    let carried = 0
    const held = Promise.withResolvers<void>()
    const { mailer } = open({
      async carry() {
        carried += 1
        await held.promise
        throw new SmtpError(true, 'ECONNECTION')
      },
    })
    for (let n = 0; n < 210; n += 1) mailer.send(letter)
    expect(carried).toBe(200)
    const stopped = mailer.stop()
    held.resolve()
    await stopped
  })

  it('tries none again once it stops', async () => {
    let tries = 0
    const asked = Promise.withResolvers<void>()
    const { clock, mailer } = open({
      async carry() {
        tries += 1
        asked.resolve()
        throw new SmtpError(true, 'ECONNECTION')
      },
    })
    mailer.send(letter)
    await asked.promise
    await new Promise(setImmediate)
    await mailer.stop()
    expect([tries, clock.waitingCount()]).toEqual([1, 0])
  })

  it('is off where nothing carries letters', () => {
    expect(open(null).mailer.isOn).toBe(false)
  })
})
