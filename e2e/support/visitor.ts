import http from 'node:http'
import net from 'node:net'

/** An answer as a visitor gets it. */
export interface Answer {
  status: number
  headers: http.IncomingHttpHeaders
  body: Buffer
}

/**
 * Asks a public name. Names under localhost lead to this machine without a resolver, as in browsers; `agent` keeps
 * connections where a test is about them.
 */
export function visit(
  url: string,
  options: {
    method?: string
    headers?: http.OutgoingHttpHeaders
    body?: string | Buffer
    agent?: http.Agent
  } = {},
): Promise<Answer> {
  const { hostname, port, pathname, search } = new URL(url)
  return new Promise((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        path: pathname + search,
        method: options.method ?? 'GET',
        headers: { host: `${hostname}:${port}`, ...options.headers },
        agent: options.agent ?? false,
      },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => {
          const body = Buffer.concat(chunks)
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
        })
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(options.body)
  })
}

/** Sends bytes as they are and collects everything until the other side closes. */
export function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    let text = ''
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
    socket.setTimeout(10_000, () =>
      socket.destroy(new Error(`the door kept the connection:\n${text}`)),
    )
  })
}
