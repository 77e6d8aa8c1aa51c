import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { pipeline } from 'node:stream/promises'
import { WebSocketServer } from 'ws'
import { countPattern, patternOf } from './pattern.ts'

/** Targets at home: a web server with pages of every kind, and one that sends back what it gets. */
export interface SoakHome {
  httpTarget: string
  tcpTarget: string
  stop(): void
}

const eventMs = 500
const smallPage = 'a page of the home\n'.repeat(50)

/** Starts the targets on loopback. */
export async function startSoakHome(): Promise<SoakHome> {
  const web = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://home')
    const bytes = Number(searchParams.get('bytes') ?? 0)
    // Visitors that leave in the middle are part of the load.
    const send = (size: number) => pipeline(patternOf(size), response).catch(() => undefined)
    if (pathname === '/down') void send(bytes)
    else if (pathname === '/endless') void send(Number.MAX_SAFE_INTEGER)
    else if (pathname === '/up') {
      countPattern(request).then(
        count => response.end(String(count)),
        () => response.destroy(),
      )
    } else if (pathname === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write('data: x\n\n'), eventMs)
      response.on('close', () => clearInterval(timer))
    } else response.end(smallPage)
  })
  const sockets = new WebSocketServer({ server: web })
  sockets.on('connection', socket => {
    socket.on('error', () => undefined)
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  const echo = net.createServer(socket => {
    socket.on('error', () => undefined)
    socket.pipe(socket)
  })
  const [httpPort, tcpPort] = await Promise.all([web, echo].map(listen))
  return {
    httpTarget: `http://127.0.0.1:${httpPort}`,
    tcpTarget: `tcp://127.0.0.1:${tcpPort}`,
    stop: () => {
      web.closeAllConnections()
      web.close()
      echo.close()
    },
  }
}

async function listen(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as net.AddressInfo).port
}
