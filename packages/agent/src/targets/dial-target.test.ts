import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createAllowList } from './allow-list.ts'
import { type DialOptions, dialTarget, type Target } from './dial-target.ts'

const open: net.Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function listen(server: net.Server): Promise<number> {
  open.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

// A client of these tests may leave at any moment.
const greet = (text: string) => (socket: net.Socket) => {
  socket.on('error', () => socket.destroy())
  socket.end(text)
}

const greeter = () => net.createServer(greet('hello'))

const options = (extra: Partial<DialOptions> = {}): DialOptions => ({
  allowList: createAllowList({ ranges: [], loopback: true }),
  timeoutMs: 5000,
  signal: new AbortController().signal,
  ...extra,
})

async function read({ socket, chunks }: Target): Promise<string> {
  let text = ''
  const ended = once(socket, 'end')
  chunks.lead(chunk => {
    text += chunk
    return true
  })
  await ended
  socket.destroy()
  return text
}

describe('dialling a target', () => {
  it('reaches an address', async () => {
    const port = await listen(greeter())
    const target = await dialTarget({ target: `tcp://127.0.0.1:${port}` }, options())
    expect(await read(target)).toBe('hello')
  })

  it('resolves a name once and dials the address that was checked', async () => {
    const port = await listen(greeter())
    const answers = [['127.0.0.1'], ['127.0.0.9']]
    const { socket } = await dialTarget(
      { target: `http://nas.lan:${port}` },
      options({ lookup: async () => answers.shift() ?? [] }),
    )
    expect(socket.remoteAddress).toBe('127.0.0.1')
    expect(answers).toHaveLength(1)
    socket.destroy()
  })

  it('leaves out the addresses of a name that are not allowed', async () => {
    const port = await listen(greeter())
    const { socket } = await dialTarget(
      { target: `http://nas.lan:${port}` },
      options({ lookup: async () => ['169.254.169.254', '8.8.8.8', '127.0.0.1'] }),
    )
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })

  it('tries the next address of a name', async () => {
    const port = await listen(greeter())
    const { socket } = await dialTarget(
      { target: `http://nas.lan:${port}` },
      options({ lookup: async () => ['127.0.0.2', '127.0.0.1'] }),
    )
    expect(socket.remoteAddress).toBe('127.0.0.1')
    socket.destroy()
  })

  it.each([
    ['tcp://8.8.8.8:53', 'target_not_allowed'],
    ['http://169.254.169.254', 'target_not_allowed'],
    ['http://0x7f000001', 'target_invalid'],
    ['http://127.1', 'target_invalid'],
    ['file:///etc/passwd', 'target_invalid'],
  ])('refuses %s with %s', async (target, code) => {
    await expect(dialTarget({ target }, options())).rejects.toMatchObject({ code })
  })

  it('names a refused connection', async () => {
    const server = greeter()
    const port = await listen(server)
    server.close()
    await once(server, 'close')
    await expect(
      dialTarget({ target: `tcp://127.0.0.1:${port}` }, options()),
    ).rejects.toMatchObject({
      code: 'target_refused',
    })
  })

  it('names a name without an address', async () => {
    const lookup = () => Promise.reject(new Error('ENOTFOUND'))
    await expect(
      dialTarget({ target: 'http://gone.lan' }, options({ lookup })),
    ).rejects.toMatchObject({
      code: 'target_dns_failed',
    })
  })

  it('gives up in time on a resolver that never answers', async () => {
    const lookup = () => new Promise<string[]>(() => undefined)
    await expect(
      dialTarget({ target: 'http://slow.lan' }, options({ lookup, timeoutMs: 20 })),
    ).rejects.toMatchObject({ code: 'target_timeout' })
  })

  it('stops when the visitor leaves', async () => {
    const gone = new AbortController()
    const lookup = () => new Promise<string[]>(() => undefined)
    const dialling = dialTarget(
      { target: 'http://slow.lan' },
      options({ lookup, signal: gone.signal }),
    )
    gone.abort()
    await expect(dialling).rejects.toMatchObject({ code: 'flow_cancelled' })
  })
})

describe('dialling an https target', () => {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-tls-'))
  const file = (name: string) => join(folder, name)
  beforeAll(() => {
    const subject = ['-subj', '/CN=nas.lan', '-addext', 'subjectAltName=DNS:nas.lan']
    const output = ['-keyout', file('key.pem'), '-out', file('cert.pem')]
    const curve = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ]
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, ...output], { stdio: 'ignore' })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const startTls = (names: string[]) =>
    listen(
      tls.createServer(
        {
          key: readFileSync(file('key.pem')),
          cert: readFileSync(file('cert.pem')),
          SNICallback: (name, done) => {
            names.push(name)
            done(null)
          },
        },
        greet('secret hello'),
      ),
    )

  it('takes a self-signed certificate where the record does not ask for verification', async () => {
    const names: string[] = []
    const port = await startTls(names)
    const target = await dialTarget(
      { target: `https://nas.lan:${port}`, tls: { verify: false, serverName: '' } },
      options({ lookup: async () => ['127.0.0.1'] }),
    )
    expect(await read(target)).toBe('secret hello')
    expect(names).toEqual(['nas.lan'])
  })

  it('sends the server name that the record gives', async () => {
    const names: string[] = []
    const port = await startTls(names)
    const { socket } = await dialTarget(
      { target: `https://127.0.0.1:${port}`, tls: { verify: false, serverName: 'other.lan' } },
      options(),
    )
    socket.destroy()
    expect(names).toEqual(['other.lan'])
  })

  it('refuses a certificate nobody vouches for where verification is asked', async () => {
    const port = await startTls([])
    await expect(
      dialTarget(
        { target: `https://nas.lan:${port}`, tls: { verify: true, serverName: '' } },
        options({ lookup: async () => ['127.0.0.1'] }),
      ),
    ).rejects.toMatchObject({ code: 'target_tls_failed' })
  })

  it('names a target that does not speak TLS', async () => {
    const port = await listen(greeter())
    await expect(
      dialTarget(
        { target: `https://127.0.0.1:${port}`, tls: { verify: false, serverName: '' } },
        options(),
      ),
    ).rejects.toMatchObject({ code: 'target_tls_failed' })
  })
})
