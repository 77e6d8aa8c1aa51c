import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createDirectChunks } from './chunks.ts'

const servers: net.Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function connect(serve: (socket: net.Socket) => void) {
  const server = net.createServer(serve).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const direct = createDirectChunks()
  const socket = net.connect({ host: '127.0.0.1', port, onread: direct.options })
  await once(socket, 'connect')
  return { socket, chunks: direct.of(socket) }
}

/** Bytes that tell where they stand in the whole, so that a mixed or repeated read shows. */
function pattern(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size)
  for (let at = 0; at + 4 <= size; at += 4) bytes.writeUInt32BE((at + seed * 0x1000003) >>> 0, at)
  return bytes
}

it('keeps what several targets send apart, small and bulk at once, whoever stops in between', async () => {
  const wholes = [4 * 1024 * 1024, 4 * 1024 * 1024, 40_000, 300].map(pattern)
  const reading = wholes.map(async (whole, at) => {
    const { socket, chunks } = await connect(server => server.end(whole))
    const kept: Buffer[] = []
    const ended = once(socket, 'end')
    chunks.lead(chunk => {
      kept.push(chunk)
      // One of them stops after every chunk and goes on in a later turn.
      if (at !== 0) return true
      setImmediate(() => socket.resume())
      return false
    })
    await ended
    socket.destroy()
    return Buffer.concat(kept)
  })
  const got = await Promise.all(reading)
  expect(got.map((bytes, at) => bytes.equals(wholes[at] as Buffer))).toEqual(wholes.map(() => true))
})

it('keeps a greeting that comes before anybody listens', async () => {
  const { socket, chunks } = await connect(server => {
    server.write('SSH-2.0-x\r\n')
    server.once('data', chunk => server.end(`heard ${chunk}`))
  })
  // The answer to nothing: the greeting is here once the socket has stopped reading.
  while (socket.bytesRead === 0) await new Promise(setImmediate)
  let text = ''
  const ended = once(socket, 'end')
  chunks.lead(chunk => {
    text += chunk
    return true
  })
  socket.write('me')
  await ended
  socket.destroy()
  expect(text).toBe('SSH-2.0-x\r\nheard me')
})
