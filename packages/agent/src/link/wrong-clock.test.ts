import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createServer } from 'node:tls'
import { createLogger } from '@homeport/runtime'
import { acceptLink, exportPublicKey } from '@homeport/tunnel'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stayLinked } from './stay-linked.ts'

// A clock that is wrong by years and a certificate that is good in other years are one and the same to TLS.

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-wrong-clock-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A certificate for localhost that vouches for itself between two dates (`YYYYMMDD`). */
function createCertificate(name: string, from: string, to: string) {
  const file = (ending: string) => join(folder, `${name}.${ending}`)
  const openssl = (...words: string[]) =>
    execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', ...key, '-subj', '/CN=localhost', '-keyout', file('key'), '-out', file('csr'))
  writeFileSync(file('index'), '')
  writeFileSync(
    file('conf'),
    `[ca]
default_ca = own
[own]
database = ${file('index')}
new_certs_dir = ${folder}
rand_serial = yes
default_md = sha256
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
subjectAltName = DNS:localhost
basicConstraints = CA:true
`,
  )
  const dates = ['-startdate', `${from}000000Z`, '-enddate', `${to}000000Z`]
  const files = ['-in', file('csr'), '-keyfile', file('key'), '-out', file('pem')]
  openssl('ca', '-batch', '-selfsign', '-config', file('conf'), ...dates, ...files)
  return { key: readFileSync(file('key')), cert: readFileSync(file('pem')) }
}

it.each([
  ['far in the future', '23000101', '23010101', 'CERT_NOT_YET_VALID'],
  ['long over', '20010101', '20020101', 'CERT_HAS_EXPIRED'],
])(
  'an agent for whom the certificate is %s says so with its date, and links once both agree',
  async (name, from, to, detail) => {
    const wrong = createCertificate(name.replaceAll(' ', '-'), from, to)
    const right = createCertificate(`right-${from}`, '20200101', '21000101')
    const relay = createServer(wrong, async socket => {
      socket.on('error', () => socket.destroy())
      await once(socket, 'data')
      const { port } = relay.address() as AddressInfo
      const { muxer } = await acceptLink(socket, {
        relayId: 'test',
        host: `localhost:${port}`,
        findDeviceKey: async () => ({ publicKey: exportPublicKey(publicKey) }),
      })
      relay.emit('link', muxer)
    })
    relay.on('tlsClientError', () => undefined)
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    const linked = once(relay, 'link')
    const lines = new PassThrough()
    const stopping = new AbortController()
    const { port } = relay.address() as AddressInfo
    const running = stayLinked({
      link: {
        server: new URL(`https://localhost:${port}`),
        key: privateKey,
        device: 'd1',
        tls: { ca: Buffer.concat([wrong.cert, right.cert]) },
      },
      info: () => ({ agentVersion: '1', model: 'test' }),
      backoff: { next: () => 20, reset: () => undefined },
      logger: createLogger({ level: 'warn', name: 'test', destination: lines }),
      serve: stream => stream.destroy(),
      onLinked: () => undefined,
      signal: stopping.signal,
    })
    const [line] = await once(lines, 'data')
    expect(JSON.parse(String(line).split('\n')[0] ?? '')).toMatchObject({
      level: 50,
      code: 'link_tls_failed',
      detail,
      clock: expect.stringMatching(new RegExp(`^${new Date().getUTCFullYear()}-`)),
      msg: "not linked: this machine's clock and the certificate disagree",
    })
    relay.setSecureContext(right)
    await linked
    stopping.abort()
    await running
    relay.close()
  },
)
