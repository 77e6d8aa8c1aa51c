import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startPostgres } from './postgres.ts'

test.each(['any', 'packaged'] as const)(
  'a server from %s programs answers on loopback and leaves nothing after stop',
  async source => {
    const postgres = await startPostgres(source)
    if (postgres === undefined) throw new Error('no PostgreSQL programs on this machine')
    const port = Number(new URL(postgres.url).port)
    // SSLRequest of the PostgreSQL protocol: length 8, code 80877103. A server without TLS answers "N".
    const request = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
    expect(await ask(port, request)).toBe('N')
    await postgres.stop()
    await expect(ask(port, request)).rejects.toThrow('ECONNREFUSED')
    expect(existsSync(postgres.origin)).toBe(!postgres.origin.includes('homeport-postgres-'))
  },
)

function ask(port: number, request: Buffer): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  socket.once('error', reject)
  socket.once('data', chunk => {
    socket.destroy()
    resolve(chunk.toString('latin1'))
  })
  return promise
}
