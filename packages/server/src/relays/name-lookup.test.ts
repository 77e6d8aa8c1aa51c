import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createManualClock } from '@homeport/runtime/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lookUpName } from './name-lookup.ts'

const headerBytes = 12

/** Answers a query (RFC 1035 section 4.1) with its question and what follows; null stays silent. */
type Answer = (type: number) => { code: number; record: number[] } | null

const noError = 0
const noSuchName = 3
const typeA = 1
// Name by pointer to the question, type A, class IN, TTL 1, four bytes of address.
const addressRecord = [0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4, 192, 0, 2, 1]

const nameServer = createSocket('udp4')
let answer: Answer = () => null
let server = ''

beforeAll(async () => {
  nameServer.on('message', (query, from) => {
    const nameEnd = query.indexOf(0, headerBytes)
    const reply = answer(query.readUInt16BE(nameEnd + 1))
    if (reply === null) return
    const { code, record } = reply
    const head = Buffer.alloc(headerBytes)
    query.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | code, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(record.length > 0 ? 1 : 0, 6)
    const question = query.subarray(headerBytes, nameEnd + 5)
    nameServer.send(Buffer.concat([head, question, Buffer.from(record)]), from.port, from.address)
  })
  nameServer.bind(0, '127.0.0.1')
  await once(nameServer, 'listening')
  server = `127.0.0.1:${nameServer.address().port}`
})
afterAll(() => {
  nameServer.close()
})

const ask = (host: string) => lookUpName(host, createManualClock(), [server])

it('finds every name under localhost without asking anybody', async () => {
  answer = () => ({ code: noSuchName, record: [] })
  expect(await ask('nas.localhost')).toBe('found')
  expect(await ask('localhost')).toBe('found')
})

it('finds a name with an IPv4 address alone', async () => {
  answer = type => ({ code: noError, record: type === typeA ? addressRecord : [] })
  expect(await ask('nas.tunnel.example')).toBe('found')
})

it('misses a name that does not exist, and one without an address', async () => {
  answer = () => ({ code: noSuchName, record: [] })
  expect(await ask('nas.tunnel.example')).toBe('missing')
  answer = () => ({ code: noError, record: [] })
  expect(await ask('nas.tunnel.example')).toBe('missing')
})

it('does not take a refusal of the name server for a missing name', async () => {
  const refused = 5
  answer = () => ({ code: refused, record: [] })
  expect(await ask('nas.tunnel.example')).toBe('silent')
})

it('gives up on name servers that are silent', async () => {
  const clock = createManualClock()
  const asked = Promise.withResolvers<void>()
  answer = () => {
    asked.resolve()
    return null
  }
  const result = lookUpName('nas.tunnel.example', clock, [server])
  await asked.promise
  clock.advance(5000)
  expect(await result).toBe('silent')
  expect(clock.waitingCount()).toBe(0)
})
