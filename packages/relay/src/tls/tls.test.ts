import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { dialLink } from '@homeport/tunnel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBench, whenDone } from '../testing/bench.ts'

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

describe('a relay with a certificate', () => {
  it('speaks HTTPS with visitors and says so to targets', async () => {
    const bench = await createBench({ tls: { certFile, keyFile } })
    const body = await new Promise<string>((resolve, reject) => {
      const asking = request(
        {
          host: '127.0.0.1',
          port: bench.port,
          rejectUnauthorized: false,
          headers: { Host: 'localhost' },
          agent: false,
        },
        answer => {
          let text = ''
          answer.on('data', chunk => {
            text += chunk
          })
          answer.on('end', () => resolve(text))
        },
      )
      asking.once('error', reject)
      asking.end()
    })
    expect(JSON.parse(body).headers).toMatchObject({
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
    })
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
