import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

/** A request as a vendor received it. */
export interface ReceivedRequest {
  method: string
  url: URL
  headers: IncomingHttpHeaders
  body: string
}

/** What the next requests meet: an answer of the vendor's own, or silence. */
export type VendorMood = 'well' | 'throttled' | 'silent'

/** A vendor on this machine: verifies signatures by itself and answers as the real one does. */
export interface TestVendor {
  readonly port: number
  readonly received: ReceivedRequest[]
  mood: VendorMood
  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void>
  stop(): Promise<void>
}

type Answer = { status: number; body: unknown }

/** Starts one. `isSigned` judges the signature, `answers` gives what it says. */
export async function startTestVendor(
  isSigned: (request: ReceivedRequest) => boolean,
  answers: { well: Answer; throttled: Answer; unsigned: Answer },
): Promise<TestVendor> {
  const received: ReceivedRequest[] = []
  let arrived = Promise.withResolvers<void>()
  const server: Server = createServer(async (request, response) => {
    const seen: ReceivedRequest = {
      method: request.method ?? '',
      url: new URL(request.url ?? '', `http://${request.headers.host}`),
      headers: request.headers,
      body: await readText(request),
    }
    received.push(seen)
    arrived.resolve()
    arrived = Promise.withResolvers()
    const { mood } = vendor
    if (mood === 'silent') return
    const { status, body } = isSigned(seen) ? answers[mood] : answers.unsigned
    response.writeHead(status, { 'Content-Type': 'application/json;charset=utf-8' })
    response.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const vendor: TestVendor = {
    port: (server.address() as AddressInfo).port,
    received,
    mood: 'well',
    nextRequest: () => arrived.promise,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return vendor
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

// Written from the vendors' descriptions, apart from what signs: a mistake would have to be made twice.

/** Judges `ACS3-HMAC-SHA256` (Alibaba Cloud, signature version 3). */
export function isAcs3Signed(
  request: ReceivedRequest,
  key: { id: string; secret: string },
): boolean {
  const header = String(request.headers.authorization)
  const parts = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=(\w+)$/.exec(
    header,
  )
  if (parts?.[1] !== key.id) return false
  const names = (parts[2] ?? '').split(';')
  const required = ['host', 'x-acs-action', 'x-acs-content-sha256', 'x-acs-date', 'x-acs-version']
  if (required.some(name => !names.includes(name))) return false
  if (request.headers['x-acs-content-sha256'] !== sha256(request.body)) return false
  const canonical = [
    request.method,
    request.url.pathname,
    canonicalQuery(request.url),
    names.map(name => `${name}:${String(request.headers[name]).trim()}\n`).join(''),
    names.join(';'),
    sha256(request.body),
  ].join('\n')
  const wanted = createHmac('sha256', key.secret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  return parts[3] === wanted
}

// However the query was written: names in order, values encoded as RFC 3986 says.
const canonicalQuery = (url: URL) =>
  [...url.searchParams]
    .map(([name, value]) => `${name}=${rfc3986(value)}`)
    .sort()
    .join('&')

const rfc3986 = (text: string) =>
  [...Buffer.from(text)]
    .map(byte => String.fromCharCode(byte))
    .map(sign =>
      /[\w.~-]/.test(sign)
        ? sign
        : `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')

/** Judges `TC3-HMAC-SHA256` (Tencent Cloud, signature version 3). */
export function isTc3Signed(
  request: ReceivedRequest,
  key: { id: string; secret: string },
): boolean {
  const header = String(request.headers.authorization)
  const form =
    /^TC3-HMAC-SHA256 Credential=([^/]+)\/([\d-]+)\/sms\/tc3_request, SignedHeaders=content-type;host, Signature=(\w+)$/
  const [, id, date = '', signature] = form.exec(header) ?? []
  if (id !== key.id) return false
  const at = String(request.headers['x-tc-timestamp'])
  if (new Date(Number(at) * 1000).toISOString().slice(0, 10) !== date) return false
  const signedHeaders = `content-type:${request.headers['content-type']}\nhost:${request.url.hostname}\n`
  const canonical = `POST\n/\n\n${signedHeaders}\ncontent-type;host\n${sha256(request.body)}`
  const text = `TC3-HMAC-SHA256\n${at}\n${date}/sms/tc3_request\n${sha256(canonical)}`
  const hmac = (secret: string | Buffer, part: string) =>
    createHmac('sha256', secret).update(part).digest()
  const signing = hmac(hmac(hmac(`TC3${key.secret}`, date), 'sms'), 'tc3_request')
  return hmac(signing, text).toString('hex') === signature
}
