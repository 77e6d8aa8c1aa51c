import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { linkAgent } from '../testing/agent.ts'
import { createBench, portOf, whenDone } from '../testing/bench.ts'

type Bench = Awaited<ReturnType<typeof createBench>>

async function probe(bench: Bench, target = bench.target, kind: 'http' | 'tcp' = 'http') {
  const steps = await bench.server.peer?.request('probe', bench.route({ target, kind }), {
    timeoutMs: 15_000,
  })
  return (steps ?? []).map(({ step, ok, code }) => [step, ok, code])
}

const createImpatientBench = () => createBench({ limits: { links: { probeMs: 100 } } })

/** A raw service that answers everything with the same bytes. */
async function serveBytes(bytes: string): Promise<number> {
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(bytes))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => server.close())
  return portOf(server)
}

describe('a probe', () => {
  it('passes all steps of a page that works, with times', async () => {
    const bench = await createBench()
    await bench.link()
    const steps = await bench.server.peer?.request('probe', bench.route())
    expect(steps?.map(({ step, ok, code, hint }) => [step, ok, code, hint])).toEqual([
      ['device', true, 'ok', ''],
      ['target', true, 'ok', ''],
      ['response', true, 'ok', ''],
    ])
    for (const step of steps ?? []) expect(step.ms).toBeGreaterThanOrEqual(0)
  })

  it('counts a connection to a tcp target as its answer', async () => {
    const bench = await createBench()
    await bench.link()
    expect(await probe(bench, bench.target.replace('http', 'tcp'), 'tcp')).toEqual([
      ['device', true, 'ok'],
      ['target', true, 'ok'],
      ['response', true, 'ok'],
    ])
  })

  it('stops at a device that is not here, and says what to do', async () => {
    const bench = await createBench()
    const steps = await bench.server.peer?.request('probe', bench.route())
    expect(steps).toEqual([
      {
        step: 'device',
        ok: false,
        ms: null,
        code: 'device_offline',
        hint: '设备没有连接。请检查它的电源、网络和归港程序。',
      },
      { step: 'target', ok: null, ms: null, code: '', hint: '' },
      { step: 'response', ok: null, ms: null, code: '', hint: '' },
    ])
  })

  it('stops at an agent that says nothing', async () => {
    const bench = await createImpatientBench()
    await bench.link({ mute: true })
    expect(await probe(bench)).toEqual([
      ['device', false, 'flow_timeout'],
      ['target', null, ''],
      ['response', null, ''],
    ])
  })

  it('does not blame the device for a target that takes no connection', async () => {
    const bench = await createImpatientBench()
    await bench.link({ hang: bench.target })
    expect(await probe(bench)).toEqual([
      ['device', true, 'ok'],
      ['target', false, 'target_timeout'],
      ['response', null, ''],
    ])
  })

  it('stops at a target that refuses, or that the agent refuses', async () => {
    const bench = await createBench()
    await bench.link()
    const closed = await serveBytes('')
    expect(await probe(bench, 'http://127.0.0.1:1')).toEqual([
      ['device', true, 'ok'],
      ['target', false, 'target_refused'],
      ['response', null, ''],
    ])
    const careful = await createBench()
    await linkAgent(careful.port, careful.device, { refuse: 'target_not_allowed' })
    expect(await probe(careful, `http://127.0.0.1:${closed}`)).toEqual([
      ['device', true, 'ok'],
      ['target', false, 'target_not_allowed'],
      ['response', null, ''],
    ])
  })

  it('stops at a target that takes the connection and then says nothing', async () => {
    const bench = await createImpatientBench()
    await bench.link()
    const server = createServer(socket => socket.on('error', () => undefined))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    whenDone(() => server.close())
    expect(await probe(bench, `http://127.0.0.1:${portOf(server)}`)).toEqual([
      ['device', true, 'ok'],
      ['target', true, 'ok'],
      ['response', false, 'target_silent'],
    ])
  })

  it.each([
    ['that ends without a word', '', 'target_failed'],
    ['that speaks no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'bad_response'],
  ])('stops at a target %s', async (_, bytes, code) => {
    const bench = await createBench()
    await bench.link()
    const port = await serveBytes(bytes)
    expect(await probe(bench, `http://127.0.0.1:${port}`)).toEqual([
      ['device', true, 'ok'],
      ['target', true, 'ok'],
      ['response', false, code],
    ])
  })

  it('takes any valid status for an answer', async () => {
    const bench = await createBench()
    await bench.link()
    const port = await serveBytes('HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n')
    expect((await probe(bench, `http://127.0.0.1:${port}`)).at(-1)).toEqual([
      'response',
      true,
      'ok',
    ])
  })
})
