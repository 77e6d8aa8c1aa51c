import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createServer, type Server } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acceptLink } from './accept-link.ts'
import { connectThroughProxy } from './connect-proxy.ts'
import { type DialLinkOptions, dialLink } from './dial-link.ts'
import { exportPublicKey } from './proof.ts'

const device = generateKeyPairSync('ed25519')
const closers: (() => void)[] = []
let folder: string
let ca: Buffer
let otherCa: Buffer
let server: Server
/** Names that handshakes asked for; false without one. */
let serverNames: (string | false | null)[]
let linkCount: number

const inFolder = (name: string) => join(folder, name)
const openssl = (...words: string[]) =>
  execFileSync('openssl', words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

function createCa(name: string): Buffer {
  const subject = ['-subj', `/CN=${name}`, '-days', '2']
  openssl('req', '-x509', ...newKey, ...subject, '-keyout', `${name}.key`, '-out', `${name}.pem`)
  return readFileSync(inFolder(`${name}.pem`))
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeport-tls-link-'))
  ca = createCa('ca')
  otherCa = createCa('other-ca')
  openssl('req', ...newKey, '-subj', '/CN=relay', '-keyout', 'relay.key', '-out', 'relay.csr')
  writeFileSync(inFolder('names'), 'subjectAltName=DNS:localhost\n')
  const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2']
  openssl('x509', '-req', '-in', 'relay.csr', ...signer, '-extfile', 'names', '-out', 'relay.pem')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(async () => {
  serverNames = []
  linkCount = 0
  const key = readFileSync(inFolder('relay.key'))
  const cert = readFileSync(inFolder('relay.pem'))
  server = createServer({ key, cert, ALPNProtocols: ['http/1.1'] }, async socket => {
    socket.on('error', () => socket.destroy())
    closers.push(() => socket.destroy())
    serverNames.push(socket.servername)
    const [head] = (await once(socket, 'data')) as [Buffer]
    const { muxer } = await acceptLink(socket, {
      relayId: 'r1',
      host: /\r\nHost: ([^\r]+)/.exec(String(head))?.[1] ?? '',
      findDeviceKey: async () => ({ publicKey: exportPublicKey(device.publicKey) }),
    })
    linkCount += 1
    closers.push(() => muxer.close())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  for (const close of closers.splice(0)) close()
  server.close()
})

async function dial(
  host: string,
  tls?: DialLinkOptions['tls'],
  connect?: DialLinkOptions['connect'],
) {
  const { port } = server.address() as AddressInfo
  const link = await dialLink({
    server: new URL(`https://${host}:${port}`),
    key: device.privateKey,
    device: 'd1',
    session: 's1',
    info: { agentVersion: '0.1.0', model: 'test' },
    tls,
    ...(connect && { connect }),
  })
  closers.push(() => link.muxer.close())
  return link
}

/** A CONNECT proxy on this machine, whatever host is asked for. */
async function startProxy(): Promise<URL> {
  const proxy = createHttpServer()
  proxy.on('connect', (request, socket: Duplex) => {
    const onward = connectTcp(Number(request.url?.split(':').at(-1)), '127.0.0.1')
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    onward.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    closers.push(() => socket.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  closers.push(() => proxy.close())
  return new URL(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`)
}

describe('a link over TLS', () => {
  test('stands where a trusted CA vouches for the name', async () => {
    const { relay, muxer } = await dial('localhost', { ca })
    expect(relay).toBe('r1')
    expect(muxer.isOpen).toBe(true)
    expect(serverNames).toEqual(['localhost'])
  })

  test.each([
    ['the system trusts nobody who signed it', 'SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_', undefined],
    ['another CA is the trusted one', 'UNABLE_TO_|SIGNATURE', () => otherCa],
  ])('is refused where %s, and nothing is proved', async (_what, detail, trusted) => {
    await expect(dial('localhost', trusted && { ca: trusted() })).rejects.toMatchObject({
      code: 'link_tls_failed',
      retry: 'later',
      detail: expect.stringMatching(detail),
    })
    expect(linkCount).toBe(0)
  })

  test('goes through a proxy, which cannot pass another server off as this one', async () => {
    const proxy = await startProxy()
    const through = (tls: DialLinkOptions['tls']) => (url: URL) =>
      connectThroughProxy(url, { proxy, tls })
    expect((await dial('localhost', undefined, through({ ca }))).muxer.isOpen).toBe(true)
    await expect(dial('localhost', undefined, through({ ca: otherCa }))).rejects.toMatchObject({
      code: 'link_tls_failed',
    })
    await expect(dial('relay.test', undefined, through({ ca }))).rejects.toMatchObject({
      code: 'link_tls_failed',
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(linkCount).toBe(1)
  })

  test('is refused under a name the certificate does not hold', async () => {
    await expect(dial('127.0.0.1', { ca })).rejects.toMatchObject({
      code: 'link_tls_failed',
      detail: 'ERR_TLS_CERT_ALTNAME_INVALID',
    })
    expect(linkCount).toBe(0)
  })
})
