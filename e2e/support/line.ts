import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'

/** A network between an agent and the relay. */
export interface Line {
  port: number
  /**
   * Swallows every byte of the connections there are, both ways, and closes none: as when a router on the way lost its
   * power. New ones are reset until `mend`.
   */
  cut(): void
  mend(): void
  close(): void
}

/** Starts a network that leads to a port of this machine. */
export async function startLine(to: number): Promise<Line> {
  const sockets = new Set<Socket>()
  let isClosing = false
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  const carrying = new Set<() => void>()
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, near => {
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = net.connect({ host: '127.0.0.1', port: to, allowHalfOpen: true, noDelay: true })
    let isForgotten = false
    const forget = () => {
      isForgotten = true
    }
    carrying.add(forget)
    keep(near)
    keep(far)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      // Read and dropped once forgotten, so that the sender sees a line that takes its bytes.
      from.on('data', chunk => isForgotten || into.write(chunk))
      from.on('end', () => isForgotten || into.end())
      from.on('close', () => {
        carrying.delete(forget)
        if (!isForgotten || isClosing) into.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    cut() {
      isCut = true
      for (const forget of carrying) forget()
    },
    mend() {
      isCut = false
    },
    close() {
      isClosing = true
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
