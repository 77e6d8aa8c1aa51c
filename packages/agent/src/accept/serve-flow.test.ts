import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { Muxer, moveFlow, openFlow } from '@homeport/tunnel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAllowList } from '../targets/allow-list.ts'
import { type OpenFlows, serveFlow } from './serve-flow.ts'

const servers: net.Server[] = []
let relay: Muxer
let agent: Muxer
let refused: string[]
let flows: OpenFlows
const muxers: Muxer[] = []

async function listen(onSocket: (socket: net.Socket) => void): Promise<number> {
  const server = net.createServer({ allowHalfOpen: true }, onSocket).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A link, whose agent serves; the flows are those of all links of the test. */
async function link(): Promise<{ relay: Muxer; agent: Muxer }> {
  const accepted = Promise.withResolvers<net.Socket>()
  const port = await listen(accepted.resolve)
  const agentSide = new Muxer({ socket: net.connect(port, '127.0.0.1'), role: 'client' })
  const relaySide = new Muxer({ socket: await accepted.promise, role: 'server' })
  agentSide.acceptStreams(stream => {
    void serveFlow(stream, {
      flows,
      allowList: createAllowList({ ranges: [], loopback: true }),
      dialTimeoutMs: 2000,
      onRefused: refusal => refused.push(`${refusal.target} ${refusal.error.code}`),
    })
  })
  muxers.push(relaySide, agentSide)
  return { relay: relaySide, agent: agentSide }
}

beforeEach(async () => {
  refused = []
  flows = new Map()
  ;({ relay, agent } = await link())
})

afterEach(() => {
  for (const muxer of muxers.splice(0)) muxer.close()
  for (const server of servers.splice(0)) server.close()
})

const open = (target: string) =>
  openFlow(relay, { record: 1, target, flow: 'f1' }, { timeoutMs: 5000 })

describe('serving a flow', () => {
  it('goes on answering after the visitor has ended its half', async () => {
    const port = await listen(socket => {
      let text = ''
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('end', () => socket.end(`got ${text}`))
    })
    const stream = await open(`tcp://127.0.0.1:${port}`)
    stream.end('question')
    let answer = ''
    for await (const chunk of stream) answer += chunk
    expect(answer).toBe('got question')
  })

  it('passes a break of the target on, so that a cut body is not taken for a whole one', async () => {
    const port = await listen(socket => {
      socket.on('error', () => socket.destroy())
      socket.once('data', () => socket.resetAndDestroy())
    })
    const stream = await open(`tcp://127.0.0.1:${port}`)
    stream.write('question')
    const ended = new Promise<string>(resolve => {
      stream.on('end', () => resolve('end'))
      stream.on('error', () => resolve('error'))
      stream.resume()
    })
    expect(await ended).toBe('error')
  })

  it('breaks the target when the visitor breaks', async () => {
    const reached = Promise.withResolvers<net.Socket>()
    const port = await listen(reached.resolve)
    const stream = await open(`tcp://127.0.0.1:${port}`)
    const socket = await reached.promise
    const broken = once(socket.resume(), 'error')
    stream.on('error', () => undefined).destroy(new Error('the visitor left'))
    expect((await broken)[0]).toMatchObject({ code: 'ECONNRESET' })
  })

  it('tells the relay why a target was not reached, and the log too', async () => {
    await expect(open('tcp://169.254.169.254:80')).rejects.toMatchObject({
      code: 'target_not_allowed',
    })
    expect(refused).toEqual(['tcp://169.254.169.254:80 target_not_allowed'])
  })

  it('goes on over the link that its relay moves it to, and over no other flow', async () => {
    const port = await listen(socket => {
      socket.on('data', chunk => socket.write(`got ${chunk}`))
      socket.on('end', () => socket.end())
    })
    const target = `tcp://127.0.0.1:${port}`
    const stream = await open(target)
    const second = await link()
    const head = { record: 1, target, flow: 'f1' }
    await expect(
      moveFlow(stream, { ...head, flow: 'f2' }, second.relay, { timeoutMs: 5000 }),
    ).rejects.toMatchObject({ code: 'flow_cancelled' })
    await moveFlow(stream, head, second.relay, { timeoutMs: 5000 })
    stream.write('this')
    expect(String((await once(stream, 'data'))[0])).toBe('got this')
    // Nothing of it is left on the first link, which may end.
    relay.close()
    await agent.closed
    stream.write('that')
    expect(String((await once(stream, 'data'))[0])).toBe('got that')
    stream.end()
    await once(stream.resume(), 'close')
    expect(flows.size).toBe(0)
  })
})
