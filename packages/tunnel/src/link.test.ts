import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import {
  type AgentMessage,
  acceptControl,
  acceptFlow,
  acceptLink,
  dialLink,
  exportPublicKey,
  openControl,
  openFlow,
  type RelayMessage,
} from './index.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const closers: (() => void)[] = []

afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function link() {
  const server = createServer()
  const {
    promise: accepted,
    resolve,
    reject,
  } = Promise.withResolvers<Awaited<ReturnType<typeof acceptLink>>>()
  server.on('upgrade', (request, socket, head) => {
    const host = request.headers.host ?? ''
    const findDeviceKey = async () => ({ publicKey: exportPublicKey(publicKey) })
    acceptLink(socket, { relayId: 'r1', host, head, findDeviceKey }).then(resolve, reject)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  const { port } = server.address() as AddressInfo
  const dialled = await dialLink({
    server: new URL(`http://127.0.0.1:${port}`),
    key: privateKey,
    device: 'd1',
    session: 's1',
    info: { agentVersion: '0.1.0', model: 'test' },
  })
  const relay = await accepted
  closers.push(() => dialled.muxer.close())
  closers.push(() => relay.muxer.close())
  return { agent: dialled, relay }
}

test('a visitor flow reaches a target through a link and half-closes both ways', async () => {
  const { agent, relay } = await link()
  expect(agent.relay).toBe('r1')
  expect(relay.hello).toMatchObject({ device: 'd1', session: 's1', model: 'test' })
  agent.muxer.acceptStreams(async stream => {
    const flow = await acceptFlow(stream)
    const target = flow.accept()
    let asked = ''
    target.on('data', chunk => {
      asked += chunk
    })
    target.on('end', () => target.end(`${flow.head.target} heard ${asked}`))
  })
  const head = { record: 7, target: 'http://192.168.1.1:80', flow: 'f1' }
  const flow = await openFlow(relay.muxer, head, { timeoutMs: 5_000, early: Buffer.from('early ') })
  flow.end('late')
  expect(await text(flow)).toBe('http://192.168.1.1:80 heard early late')
})

test('a refused flow rejects with the number the agent gave', async () => {
  const { agent, relay } = await link()
  agent.muxer.acceptStreams(async stream => {
    const flow = await acceptFlow(stream)
    flow.refuse('target_refused', 'ECONNREFUSED')
  })
  const head = { record: 7, target: 'http://192.168.1.1:80', flow: 'f1' }
  const opening = openFlow(relay.muxer, head, { timeoutMs: 5_000 })
  await expect(opening).rejects.toMatchObject({ code: 'target_refused', detail: 'ECONNREFUSED' })
})

test('control messages go both ways on the first stream', async () => {
  const { agent, relay } = await link()
  const { promise: heardByRelay, resolve: relayHears } = Promise.withResolvers<AgentMessage>()
  const { promise: heardByAgent, resolve: agentHears } = Promise.withResolvers<RelayMessage>()
  acceptControl(relay.muxer, relayHears).send({ type: 'drain', deadlineMs: 5_000 })
  openControl(agent.muxer, agentHears).send({
    type: 'facts',
    agentVersion: '0.1.0',
    model: 'test',
    lanIp: '192.168.1.2',
  })
  expect(await heardByRelay).toMatchObject({ type: 'facts', lanIp: '192.168.1.2' })
  expect(await heardByAgent).toEqual({ type: 'drain', deadlineMs: 5_000 })
})
