import { once } from 'node:events'
import http, { type ServerResponse } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'

/** The pieces that a lasting answer is made of; the second one waits for `goOn`. */
export const pieces = { first: 'first half|', second: 'second half|' } as const

/** A page at home whose answers last for as long as a test wants. */
export interface Home {
  /** `http://127.0.0.1:<port>`. */
  target: string
  /** Where every connection is greeted with the first piece and gets the second with `goOn`. */
  tcpTarget: string
  /** Answers under way. */
  waiting(): number
  /** Lets every lasting answer say its second piece and end. */
  goOn(): void
  close(): void
}

/**
 * Starts a home. `/` answers at once. `/sized`, `/chunked` and `/until-close` last: the same two pieces, each with another way to tell
 * where the body ends. `/silent` says nothing before `goOn`. WebSockets are echoed.
 */
export async function startHome(): Promise<Home> {
  const waiting = new Set<() => void>()
  const last = (socket: net.Socket, end: () => void) => {
    waiting.add(end)
    socket.once('close', () => waiting.delete(end))
  }
  const server = http.createServer((request, response) => {
    if (request.url === '/') response.end('at home')
    else begin(request.url ?? '', response, last)
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', socket => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
    socket.on('error', () => undefined)
  })
  const tcp = net.createServer(socket => {
    socket.on('error', () => socket.destroy())
    socket.write(pieces.first)
    last(socket, () => socket.end(pieces.second))
  })
  const targetOf = async (scheme: string, listener: net.Server) => {
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    return `${scheme}://127.0.0.1:${(listener.address() as AddressInfo).port}`
  }
  return {
    target: await targetOf('http', server),
    tcpTarget: await targetOf('tcp', tcp),
    waiting: () => waiting.size,
    goOn() {
      for (const end of waiting) end()
      waiting.clear()
    },
    close() {
      for (const socket of sockets.clients) socket.terminate()
      for (const end of waiting) end()
      server.closeAllConnections()
      server.close()
      tcp.close()
    },
  }
}

function begin(
  path: string,
  response: ServerResponse,
  last: (socket: net.Socket, end: () => void) => void,
): void {
  if (path === '/sized') {
    response.setHeader('content-length', pieces.first.length + pieces.second.length)
  } else if (path === '/until-close') {
    // Neither a length nor chunks: only the end of the connection ends the body.
    response.useChunkedEncodingByDefault = false
    response.setHeader('connection', 'close')
  }
  if (path !== '/silent') response.write(pieces.first)
  last(response.socket as net.Socket, () => response.end(pieces.second))
}
