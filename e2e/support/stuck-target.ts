import net, { type AddressInfo } from 'node:net'

// A target as a process of its own, so that a test can stop it as a whole (SIGSTOP): its kernel goes on taking connections
// until its short queue is full, and then answers none. `/wait` is answered when it is let go on (SIGCONT).
const waiting: net.Socket[] = []
const answer = (socket: net.Socket) =>
  socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nat home')

process.on('SIGCONT', () => {
  for (const socket of waiting.splice(0)) answer(socket)
})
const server = net.createServer(socket => {
  socket.on('error', () => socket.destroy())
  socket.once('data', head => {
    if (!head.toString().startsWith('GET /wait ')) return answer(socket)
    waiting.push(socket)
    console.log('asked to wait')
  })
})
server.listen({ host: '127.0.0.1', port: 0, backlog: 1 }, () =>
  console.log(`port ${(server.address() as AddressInfo).port}`),
)
