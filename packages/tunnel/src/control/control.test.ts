import { afterEach, expect, test } from 'vitest'
import { Muxer } from '../yamux/muxer.ts'
import { connectPair } from '../yamux/test-wire.ts'
import { acceptControl, openControl } from './channel.ts'
import type { AgentMessage, RelayMessage } from './messages.ts'

const facts: AgentMessage = {
  type: 'facts',
  agentVersion: '0.1.0',
  model: 'nas',
  lanIp: undefined,
}
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function link() {
  const [near, far] = await connectPair()
  const agent = new Muxer({ socket: near, role: 'client' })
  const relay = new Muxer({ socket: far, role: 'server' })
  closers.push(() => agent.close())
  closers.push(() => relay.close())
  return { agent, relay }
}

function framed(text: string): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(Buffer.byteLength(text))
  return Buffer.concat([prefix, Buffer.from(text)])
}

test('messages come whole and in order, also those sent before the agent opened', async () => {
  const { agent, relay } = await link()
  const channel = acceptControl(relay, () => {})
  channel.send({ type: 'drain', deadlineMs: 1 })
  const heard: RelayMessage[] = []
  const all = Promise.withResolvers<void>()
  openControl(agent, message => {
    heard.push(message)
    if (heard.length === 3) all.resolve()
  })
  channel.send({ type: 'drain', deadlineMs: 2 })
  channel.send({ type: 'grow', links: 8 })
  await all.promise
  expect(heard).toEqual([
    { type: 'drain', deadlineMs: 1 },
    { type: 'drain', deadlineMs: 2 },
    { type: 'grow', links: 8 },
  ])
})

test('nothing is heard of what comes behind a malformed message', async () => {
  const { agent, relay } = await link()
  const heard: AgentMessage[] = []
  acceptControl(relay, message => heard.push(message))
  const stream = agent.openStream()
  const whole = framed(JSON.stringify({ type: 'facts', agent_version: '1', model: 'm' }))
  // Two frames in one write of the link: the second has arrived when the first is read.
  stream.write(framed('{'))
  stream.write(whole)
  expect(await relay.closed).toMatchObject({ code: 'protocol_error' })
  await new Promise(resolve => setImmediate(resolve))
  expect(heard).toEqual([])
})

test('more links than a session may have break the protocol', async () => {
  const { agent, relay } = await link()
  acceptControl(relay, () => {}).send({ type: 'grow', links: 9 })
  openControl(agent, () => {})
  expect(await agent.closed).toMatchObject({ code: 'protocol_error' })
})

test('a type that is not known is ignored', async () => {
  const { agent, relay } = await link()
  const heard = new Promise<AgentMessage>(resolve => acceptControl(relay, resolve))
  const stream = agent.openStream()
  stream.write(framed('{"type":"weather","rain":true}'))
  stream.write(framed('{"type":"facts","agent_version":"0.1.0","model":"nas","new":1}'))
  expect(await heard).toEqual(facts)
  expect(relay.isOpen).toBe(true)
})

test.each([
  ['not JSON', framed('{')],
  ['no type', framed('{}')],
  ['a field missing', framed('{"type":"facts","model":"nas"}')],
  ['a field too long', framed(`{"type":"facts","agent_version":"${'1'.repeat(200)}","model":""}`)],
  ['too long', Buffer.from([0, 0, 0x40, 1])],
])('a malformed message closes the link: %s', async (_what, bytes) => {
  const { agent, relay } = await link()
  acceptControl(relay, () => {})
  agent.openStream().write(bytes)
  expect(await relay.closed).toMatchObject({ code: 'protocol_error' })
})

test('the end of the control stream closes the link', async () => {
  const { agent, relay } = await link()
  acceptControl(relay, () => {})
  agent.openStream().end()
  expect(await relay.closed).toMatchObject({ code: 'protocol_error' })
})

test('a second stream of the agent is reset and the first goes on', async () => {
  const { agent, relay } = await link()
  const heard = new Promise<AgentMessage>(resolve => acceptControl(relay, resolve))
  const channel = openControl(agent, () => {})
  const second = agent.openStream()
  await new Promise<void>(resolve => second.once('close', () => resolve()))
  expect(second.errored).toMatchObject({ code: 'stream_reset' })
  channel.send(facts)
  expect(await heard).toEqual(facts)
})

test('a peer that lets messages pile up loses the link', async () => {
  const { agent, relay } = await link()
  const accepted = new Promise(resolve => relay.acceptStreams(resolve))
  const channel = openControl(agent, () => {})
  await accepted
  const long = { ...facts, model: 'm'.repeat(120) }
  for (let sent = 0; sent < 10_000 && agent.isOpen; sent += 1) {
    channel.send(long)
    if (sent % 100 === 0) await new Promise(resolve => setImmediate(resolve))
  }
  expect(await agent.closed).toMatchObject({ code: 'flood' })
})

test('a last message reaches the agent although the link is closed right behind it', async () => {
  const { agent, relay } = await link()
  const ready = Promise.withResolvers<AgentMessage>()
  const channel = acceptControl(relay, ready.resolve)
  const heard: RelayMessage[] = []
  openControl(agent, message => heard.push(message)).send(facts)
  await ready.promise
  channel.send({ type: 'revoked', code: 'device_revoked' })
  relay.close()
  await agent.closed
  expect(heard).toEqual([{ type: 'revoked', code: 'device_revoked' }])
})

test('the control stream does not hold up a drain', async () => {
  const { agent, relay } = await link()
  const heard = new Promise<AgentMessage>(resolve => acceptControl(relay, resolve))
  openControl(agent, () => {}).send(facts)
  await heard
  await agent.drain(60_000)
  expect(await relay.closed).toMatchObject({ code: 'link_lost' })
})
