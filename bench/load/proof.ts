import { createHash } from 'node:crypto'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { smallBody, type Target } from '../target.ts'
import type { Place, Way } from '../way.ts'

const uploadBytes = 1024 * 1024
const answerMs = 10_000

/** Throws where a way does not carry what it should, byte for byte, both directions. */
export async function proveWay(way: Way, target: Target): Promise<void> {
  const small = await ask(way.down, '/')
  if (small.toString() !== smallBody) throw new Error('the small answer is another')
  if (way.isRequestsOnly === true) return
  const digest = createHash('sha256')
    .update(await ask(way.down, '/sample'))
    .digest('hex')
  if (digest !== target.sampleDigest) throw new Error('the sample came changed')
  const counted = (await ask(way.up, '/', Buffer.alloc(uploadBytes))).toString()
  if (counted !== String(uploadBytes)) throw new Error(`the sink got ${counted} of ${uploadBytes}`)
}

/** The body of an answer. Rejects where it is not 200, broken, or does not come within 10 s. */
async function ask(place: Place, path: string, upload?: Buffer): Promise<Buffer> {
  const request = place.isTls ? requestTls : requestPlain
  const answered = Promise.withResolvers<IncomingMessage>()
  const asked = request(
    {
      host: '127.0.0.1',
      port: place.port,
      path,
      method: upload === undefined ? 'GET' : 'POST',
      headers: {
        host: place.host,
        ...(upload !== undefined && { 'content-length': upload.length }),
      },
      agent: false,
      signal: AbortSignal.timeout(answerMs),
      ...(place.isTls && { servername: 'localhost', rejectUnauthorized: false }),
    },
    answered.resolve,
  )
  asked.on('error', answered.reject).end(upload)
  const answer = await answered.promise
  if (answer.statusCode !== 200) throw new Error(`${path} was answered with ${answer.statusCode}`)
  return buffer(answer)
}
