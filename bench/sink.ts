/**
 * Takes uploads and throws them away: an HTTP/1.1 server of a few lines, because a real one would be what is measured. Sends
 * `{ port }` when it listens, and `{ arrived }`, the body bytes of all connections so far, whenever it is sent a message.
 */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import process from 'node:process'

let arrived = 0

/** Bodies have a length or are chunked; chunked ones come from proxies that were not told otherwise and are refused. */
function serve(socket: Socket): void {
  let head = ''
  let length = 0
  let left = 0
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy()) // a visitor whose time is over leaves in the middle
  socket.on('data', chunk => {
    let bytes = chunk.length
    if (left === 0) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      length = Number(/^content-length: *(\d+)\r$/im.exec(head.slice(0, end + 2))?.[1])
      if (!(length > 0)) {
        socket.end('HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
        return
      }
      bytes = head.length - (end + 4)
      head = ''
      left = length
    }
    arrived += bytes
    left -= bytes
    if (left > 0) return
    const body = String(length)
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  })
}

const server = createServer(serve).listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
process.on('message', () => process.send?.({ arrived }))
// Nobody is left to measure.
process.once('disconnect', () => process.exit())
