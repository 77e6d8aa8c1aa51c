import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { connectThroughProxy } from './connect-proxy.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function listen(onSocket: (socket: Socket) => void): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy())
    closers.push(() => socket.destroy())
    onSocket(socket)
  })
  closers.push(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A proxy that answers a CONNECT with these bytes and, after a 200, joins the connection with `target`. */
async function startProxy(answer: string, target?: number) {
  const heads: string[] = []
  const port = await listen(async socket => {
    heads.push(String((await once(socket, 'data'))[0]))
    socket.write(answer)
    if (target === undefined) return
    const onward = connect(target, '127.0.0.1')
    onward.on('error', () => onward.destroy())
    socket.pipe(onward).pipe(socket)
  })
  return { heads, url: new URL(`http://us%40er:pass@127.0.0.1:${port}`) }
}

const server = new URL('http://relay.test:8080')
const established = 'HTTP/1.1 200 Connection established\r\n\r\n'

describe('a connection through a proxy', () => {
  test('is asked for by name, with the credentials of the address, and carries bytes', async () => {
    const echo = await listen(socket => socket.pipe(socket))
    const proxy = await startProxy(established, echo)
    const socket = await connectThroughProxy(server, { proxy: proxy.url })
    closers.push(() => socket.destroy())
    socket.write('hello')
    socket.resume()
    expect(String((await once(socket, 'data'))[0])).toBe('hello')
    expect(proxy.heads).toEqual([
      'CONNECT relay.test:8080 HTTP/1.1\r\nHost: relay.test:8080\r\n' +
        `Proxy-Authorization: Basic ${Buffer.from('us@er:pass').toString('base64')}\r\n\r\n`,
    ])
  })

  test('names an IPv6 address in brackets', async () => {
    const proxy = await startProxy('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    const asked = connectThroughProxy(new URL('https://[2001:db8::1]'), { proxy: proxy.url })
    await expect(asked).rejects.toMatchObject({ code: 'link_unreachable' })
    expect(proxy.heads[0]).toMatch(/^CONNECT \[2001:db8::1\]:443 /)
  })

  test.each([
    ['refuses', 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n', 'proxy: HTTP 407'],
    ['speaks something else', 'SSH-2.0-x\r\n\r\n', 'proxy: HTTP ?'],
    ['says more than its answer', `${established}x`, 'proxy: bytes behind its answer'],
  ])('fails where the proxy %s', async (_what, answer, detail) => {
    const proxy = await startProxy(answer)
    const asked = connectThroughProxy(server, { proxy: proxy.url })
    await expect(asked).rejects.toMatchObject({ code: 'link_unreachable', detail })
  })

  test('fails in time where the proxy is silent, and at once where nobody listens', async () => {
    const proxy = await startProxy('')
    const silent = connectThroughProxy(server, { proxy: proxy.url, timeoutMs: 20 })
    await expect(silent).rejects.toMatchObject({ code: 'handshake_timeout' })
    const gone = await listen(() => undefined)
    closers.splice(0).forEach(close => {
      close()
    })
    const nobody = connectThroughProxy(server, { proxy: new URL(`http://127.0.0.1:${gone}`) })
    await expect(nobody).rejects.toMatchObject({
      code: 'link_unreachable',
      detail: 'proxy: ECONNREFUSED',
    })
  })

  test('ends when it is not wanted any more', async () => {
    const proxy = await startProxy('')
    const signal = AbortSignal.abort()
    const cancelled = connectThroughProxy(server, { proxy: proxy.url, signal })
    await expect(cancelled).rejects.toMatchObject({ code: 'link_lost' })
  })
})
