import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { sealTicket, ticketLifetimeMs } from '@homeport/contract/gate'
import { dialLink } from '@homeport/tunnel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBench, pageHeaders, whenDone } from '../testing/bench.ts'

const folder = mkdtempSync(join(tmpdir(), 'homeport-tls-'))
const certFile = join(folder, 'cert.pem')
const keyFile = join(folder, 'key.pem')

/** Writes a new self-signed pair for these names. */
function writePair(commonName: string) {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${commonName}`, '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', ['req', '-x509', ...key, ...names, ...files], { stdio: 'ignore' })
}

beforeAll(() => writePair('first'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Handshakes and tells what the relay showed. */
function shakeHands(port: number, protocols: string[]) {
  return new Promise<{ protocol: string | false | null; certificate: PeerCertificate }>(
    (resolve, reject) => {
      const socket: TLSSocket = connectTls(
        { host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: protocols },
        () => {
          resolve({ protocol: socket.alpnProtocol, certificate: socket.getPeerCertificate() })
          socket.destroy()
        },
      )
      socket.once('error', reject)
    },
  )
}

/** Asks over TLS without a look at the certificate. */
function ask(port: number, host: string, path = '/', headers: Record<string, string> = {}) {
  const options = { host: '127.0.0.1', port, path, rejectUnauthorized: false, agent: false }
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>(
    (resolve, reject) => {
      const asking = request({ ...options, headers: { Host: host, ...headers } }, answer => {
        let body = ''
        answer.on('data', chunk => {
          body += chunk
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
        )
      })
      asking.once('error', reject)
      asking.end()
    },
  )
}

const cookieOf = (headers: IncomingHttpHeaders) => headers['set-cookie']?.[0] ?? ''

describe('a relay with a certificate', () => {
  it('speaks HTTPS with visitors and says so to targets', async () => {
    const bench = await createBench({ tls: { certFile, keyFile } })
    const { body } = await ask(bench.port, 'localhost')
    expect(JSON.parse(body).headers).toMatchObject({
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
    })
  })

  it('leads an owner through the gate with cookies that no other name can set', async () => {
    const consoleUrl = 'https://localhost'
    const bench = await createBench({ tls: { certFile, keyFile }, consoleUrl })
    bench.server.setRoute(bench.route({ access: ['owner'] }))
    await bench.link({ ca: readFileSync(certFile) })

    const scripts = await ask(bench.port, 'nas.localhost')
    const stranger = await ask(bench.port, 'nas.localhost', '/films', pageHeaders)
    expect([scripts.status, stranger.status]).toEqual([401, 302])
    const login = new URL((stranger.headers.location ?? '').replace('/#/', '/'))
    expect(login.origin).toBe(consoleUrl)
    expect(login.searchParams.get('url')).toBe('https://nas.localhost/films')
    const attributes =
      /^__Host-hp_nonce=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/
    expect(cookieOf(stranger.headers)).toMatch(attributes)

    const ticket = sealTicket(bench.server.gateKey, {
      host: 'nas.localhost',
      record: 7,
      user: 1,
      session: 'console-1',
      n: login.searchParams.get('n') ?? '',
      expiresAt: Date.now() + ticketLifetimeMs,
    })
    const path = `/films?__hp_ticket=${ticket}`
    const [nonce = ''] = cookieOf(stranger.headers).split(';')
    const blocked = await ask(bench.port, 'nas.localhost', path, pageHeaders)
    expect(blocked.status).toBe(400)
    const back = await ask(bench.port, 'nas.localhost', path, { ...pageHeaders, Cookie: nonce })
    expect(back.status).toBe(303)
    expect(back.headers.location).toBe('https://nas.localhost/films')
    expect(cookieOf(back.headers)).toMatch(/^__Host-hp_gate=.*; Secure$/)
    for (const { headers } of [scripts, stranger, blocked, back]) {
      expect(headers['strict-transport-security']).toMatch(/^max-age=\d{7,}$/)
    }

    const [gate = ''] = cookieOf(back.headers).split(';')
    const Cookie = `${gate}; own=1`
    const page = await ask(bench.port, 'nas.localhost', '/films', { ...pageHeaders, Cookie })
    expect(page.status).toBe(200)
    expect(JSON.parse(page.body)).toMatchObject({
      url: '/films',
      headers: {
        cookie: 'own=1',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'nas.localhost',
      },
    })
    // A cookie under the name of plain http opens nothing here: any sibling name could have set it.
    const plain = { ...pageHeaders, Cookie: gate.replace('__Host-', '') }
    expect((await ask(bench.port, 'nas.localhost', '/films', plain)).status).toBe(302)
  })

  it('takes links of agents that trust it', async () => {
    const bench = await createBench({ tls: { certFile, keyFile } })
    const { muxer } = await dialLink({
      server: new URL(`https://localhost:${bench.port}`),
      tls: { ca: readFileSync(certFile) },
      key: bench.device.privateKey,
      device: bench.device.uid,
      session: 'tls',
      info: { agentVersion: '1', model: 'test' },
    })
    expect(muxer.isOpen).toBe(true)
  })

  it('offers HTTP/1.1 alone, and nothing to who speaks in the clear', async () => {
    const bench = await createBench({ tls: { certFile, keyFile } })
    expect((await shakeHands(bench.port, ['h2', 'http/1.1'])).protocol).toBe('http/1.1')
    const socket = connect({ host: '127.0.0.1', port: bench.port })
    whenDone(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    let text = ''
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    await new Promise(resolve => socket.once('close', resolve))
    expect(text).not.toContain('HTTP/1.1')
  })

  it('takes a renewed certificate without a restart, and keeps the old one while the new is broken', async () => {
    const bench = await createBench({ tls: { certFile, keyFile } })
    expect((await shakeHands(bench.port, [])).certificate.subject.CN).toBe('first')
    writeFileSync(certFile, 'half written')
    process.emit('SIGHUP')
    expect((await shakeHands(bench.port, [])).certificate.subject.CN).toBe('first')
    writePair('second')
    process.emit('SIGHUP')
    expect((await shakeHands(bench.port, [])).certificate.subject.CN).toBe('second')
  })

  it('does not start without a pair that fits', async () => {
    const wrong = join(folder, 'wrong.pem')
    writeFileSync(wrong, 'no key')
    await expect(createBench({ tls: { certFile, keyFile: wrong } })).rejects.toThrow()
  })
})

it('bounds the handshakes of one address, and counts none that is over', async () => {
  const bench = await createBench({
    consoleUrl: 'https://localhost:8080',
    tls: { certFile, keyFile },
    limits: { arrival: { handshakesPerAddress: 2 } },
  })
  const knock = () => {
    const socket = connect(bench.port, '127.0.0.1')
    whenDone(() => socket.destroy())
    return { socket, closed: new Promise(done => socket.once('close', done).once('error', done)) }
  }
  const visit = () => ask(bench.port, 'localhost:8080', '/', { Connection: 'close' })
  for (let round = 0; round < 3; round += 1) {
    const shaken = connectTls({ host: '127.0.0.1', port: bench.port, rejectUnauthorized: false })
    whenDone(() => shaken.destroy())
    // The answer tells that the relay's side is through too; the connection stays open.
    shaken.write('GET / HTTP/1.1\r\nHost: localhost:8080\r\n\r\n')
    await once(shaken, 'data')
  }
  const silent = [knock(), knock()]
  await Promise.all(silent.map(({ socket }) => once(socket, 'connect')))
  await knock().closed
  await expect(visit()).rejects.toThrow()
})
