import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import net from 'node:net'
import type { Readable } from 'node:stream'
import { WebSocket } from 'ws'

/** How a visitor's flow ended: complete as far as the visitor can tell, or visibly cut off. */
export type FlowEnding = 'whole' | 'cut'

/** One visitor's flow that goes on. */
export interface RunningFlow {
  /** What has arrived. */
  text(): string
  /** Resolves when the flow is over. */
  ended: Promise<FlowEnding>
}

/** Asks a public name and resolves with the first bytes of the body. */
export async function openHttp(url: string): Promise<RunningFlow> {
  const { hostname, port, pathname } = new URL(url)
  const headers = { host: `${hostname}:${port}` }
  const request = http.get({ host: '127.0.0.1', port, path: pathname, headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  // The parser reports a cut through the request as well once the response has begun.
  request.on('error', () => undefined)
  return watch(response)
}

/** Asks a public name for a body that only the connection's end ends; `text` begins with the head. */
export async function openUntilClose(url: string): Promise<RunningFlow> {
  const { hostname, port, pathname } = new URL(url)
  // Not node's client: it takes a reset connection for the end of such a body.
  const socket = net.connect({ host: '127.0.0.1', port: Number(port) })
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
  return watch(socket)
}

/** Connects to the port of a tcp record and resolves with the first bytes. */
export async function openTcp(port: number): Promise<RunningFlow> {
  const socket = net.connect({ host: '127.0.0.1', port })
  return watch(socket)
}

async function watch(source: Readable): Promise<RunningFlow> {
  const { promise: ended, resolve } = Promise.withResolvers<FlowEnding>()
  const begun = Promise.withResolvers<void>()
  let text = ''
  source.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    begun.resolve()
  })
  source.once('end', () => resolve('whole'))
  source.once('error', cause => {
    resolve('cut')
    begun.reject(cause)
  })
  source.once('close', () => {
    resolve('cut')
    begun.reject(new Error('closed before the first byte'))
  })
  await begun.promise
  return { text: () => text, ended }
}

/** A WebSocket that echoes. */
export interface Echo {
  /** Sends a text and resolves with what comes back. */
  say(text: string): Promise<string>
  /** The closing code: 1006 where the connection was cut. */
  ended: Promise<number>
  close(): void
}

/** Opens a WebSocket to a public name whose target echoes. */
export async function openEcho(url: string): Promise<Echo> {
  const { hostname, port } = new URL(url)
  const headers = { host: `${hostname}:${port}` }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers })
  await once(socket, 'open')
  const ended = once(socket, 'close').then(([code]) => code as number)
  socket.on('error', () => undefined)
  return {
    say: async text => {
      const answer = once(socket, 'message')
      socket.send(text)
      return String((await answer)[0])
    },
    ended,
    close: () => socket.terminate(),
  }
}
