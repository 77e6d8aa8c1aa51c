import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { connect as connectTls } from 'node:tls'
import { bulkBytes } from '../target.ts'
import type { Place } from '../way.ts'

/** What was carried. */
export interface Carried {
  readonly bytes: number
  readonly seconds: number
}

// One buffer for each connection, used again for every read: a client that allocates would be what is measured.
const readBytes = 256 * 1024
const chunk = Buffer.alloc(256 * 1024)
const ahead = 4 * chunk.length

/** A conversation on one connection; `take` is told every byte that comes. */
interface Talk {
  begin(socket: Socket): void
  take(bytes: Buffer, socket: Socket): void
}

/** Downloads `/bulk` again and again over so many connections. Throws where an answer is not 200 of the right length. */
export async function download(place: Place, streams: number, seconds: number): Promise<Carried> {
  let bytes = 0
  const request = `GET /bulk HTTP/1.1\r\nHost: ${place.host}\r\n\r\n`
  const createTalk = (): Talk => {
    let head = ''
    let left = 0
    return {
      begin: socket => void socket.write(request),
      take(chunk, socket) {
        let count = chunk.length
        if (left === 0) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          judgeHead(head.slice(0, end), bulkBytes)
          count = head.length - end - 4
          head = ''
          left = bulkBytes
        }
        bytes += count
        left -= count
        if (left < 0) throw new Error('more bytes than the answer announced')
        if (left === 0) socket.write(request)
      },
    }
  }
  const elapsed = await converse(place, streams, seconds, createTalk)
  return { bytes, seconds: elapsed }
}

/** Uploads bodies of `bulkBytes` likewise; `countArrived` tells what has come to the sink. */
export async function upload(
  place: Place,
  streams: number,
  seconds: number,
  countArrived: () => Promise<number>,
): Promise<Carried> {
  const request = `POST / HTTP/1.1\r\nHost: ${place.host}\r\nContent-Length: ${bulkBytes}\r\n\r\n`
  const createTalk = (): Talk => {
    let answer = ''
    let left = 0
    const send = (socket: Socket): void => {
      while (left > 0 && socket.writableLength < ahead && !socket.destroyed) {
        left -= chunk.length
        socket.write(chunk, () => send(socket))
      }
    }
    const begin = (socket: Socket): void => {
      left = bulkBytes
      socket.write(request)
      send(socket)
    }
    return {
      begin,
      take(bytes, socket) {
        answer += bytes.toString('latin1')
        const end = answer.indexOf('\r\n\r\n')
        const body = String(bulkBytes)
        if (end < 0 || answer.length < end + 4 + body.length) return
        judgeHead(answer.slice(0, end), body.length)
        if (answer.slice(end + 4) !== body) throw new Error(`the sink got ${answer.slice(end + 4)}`)
        answer = ''
        begin(socket)
      },
    }
  }
  const before = await countArrived()
  const counted = Promise.withResolvers<number>()
  const elapsed = await converse(place, streams, seconds, createTalk, () =>
    countArrived().then(counted.resolve, counted.reject),
  )
  return { bytes: (await counted.promise) - before, seconds: elapsed }
}

function judgeHead(head: string, length: number): void {
  const isWhole = new RegExp(`^content-length: *${length}$`, 'im').test(head.replaceAll('\r', ''))
  if (!head.startsWith('HTTP/1.1 200 ') || !isWhole) throw new Error(`odd answer: ${head}`)
}

/** Holds so many conversations for so long and cuts them. Resolves with the seconds; rejects where one fails or ends. */
async function converse(
  place: Place,
  streams: number,
  seconds: number,
  createTalk: () => Talk,
  atEnd: () => unknown = () => undefined,
): Promise<number> {
  const failed = Promise.withResolvers<never>()
  const startedAt = performance.now()
  const sockets = Array.from({ length: streams }, () => open(place, createTalk(), failed.reject))
  const time = Promise.withResolvers<void>()
  const timer = setTimeout(time.resolve, seconds * 1000)
  try {
    await Promise.race([time.promise, failed.promise])
    const elapsed = (performance.now() - startedAt) / 1000
    await atEnd()
    return elapsed
  } finally {
    clearTimeout(timer)
    failed.promise.catch(() => undefined) // cutting is no failure
    for (const socket of sockets) socket.destroy()
  }
}

function open(place: Place, talk: Talk, fail: (reason: unknown) => void): Socket {
  const options = {
    host: '127.0.0.1',
    port: place.port,
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(readBytes),
      callback(count: number, buffer: Uint8Array): boolean {
        try {
          talk.take(Buffer.from(buffer.buffer, buffer.byteOffset, count), socket)
        } catch (error) {
          fail(error)
        }
        return true
      },
    },
  }
  const socket: Socket = place.isTls
    ? connectTls({ ...options, servername: 'localhost', rejectUnauthorized: false })
    : connect(options)
  socket.once(place.isTls ? 'secureConnect' : 'connect', () => talk.begin(socket))
  socket.once('error', fail)
  socket.once('close', () => fail(new Error('the connection was closed')))
  return socket
}
