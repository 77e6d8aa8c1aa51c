import http from 'node:http'
import { Duplex } from 'node:stream'

/** A request as another reader understood it. */
export interface SeenRequest {
  method: string
  target: string
  fields: readonly (readonly [name: string, value: string])[]
  bodyBytes: number
  isWhole: boolean
}

class Wire extends Duplex {
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done()
  }
}

const turn = () => new Promise(resolve => setImmediate(resolve))

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, n) => [
    (raw[2 * n] ?? '').toLowerCase(),
    raw[2 * n + 1] ?? '',
  ])
}

/** Reads bytes of visitors with node's own parser, without sockets. */
export function createNodeReader(): { read(bytes: Buffer): Promise<SeenRequest[]> } {
  let seen: SeenRequest[] = []
  const take = (incoming: http.IncomingMessage, answer: http.ServerResponse) => {
    const { method = '', url = '', rawHeaders } = incoming
    const request = { method, target: url, fields: pairs(rawHeaders), bodyBytes: 0, isWhole: false }
    seen.push(request)
    incoming.on('data', (chunk: Buffer) => {
      request.bodyBytes += chunk.length
    })
    incoming.on('end', () => {
      request.isWhole = true
      answer.end()
    })
    incoming.on('error', () => undefined)
  }
  const server = http.createServer({
    maxHeaderSize: 256 * 1024,
    connectionsCheckingInterval: 2 ** 30,
  })
  server.on('request', take).on('checkContinue', take).on('checkExpectation', take)
  server.on('clientError', (_error, socket) => socket.destroy())
  return {
    async read(bytes) {
      seen = []
      const wire = new Wire()
      wire.on('error', () => undefined)
      server.emit('connection', wire)
      wire.emit('data', bytes)
      // Two turns: bodies are handed on in the first, the next request's in the second.
      await turn()
      await turn()
      wire.destroy()
      return seen
    },
  }
}

/** An answer as node's client understood it; null where it refused it. */
export type SeenResponse = {
  status: number
  fields: readonly (readonly [name: string, value: string])[]
} | null

/** Reads a target's bytes as the answer to a request of that method. */
export async function readResponse(bytes: Buffer, method: string): Promise<SeenResponse> {
  const wire = new Wire()
  const request = http.request({
    method,
    createConnection: () => wire,
    maxHeaderSize: 256 * 1024,
  })
  let seen: SeenResponse = null
  const take = (incoming: http.IncomingMessage) => {
    seen ??= { status: incoming.statusCode ?? 0, fields: pairs(incoming.rawHeaders) }
    incoming.on('error', () => undefined).resume()
  }
  request.on('response', take)
  request.on('upgrade', take)
  request.on('error', () => undefined)
  request.end()
  // The request leaves in the second turn; before it nothing reads the answer.
  await turn()
  await turn()
  wire.emit('data', bytes)
  await turn()
  request.destroy()
  wire.destroy()
  return seen
}
