import { createServer } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createBench, serveHttp, until, whenDone } from '../testing/bench.ts'

const host = { kind: 'host', host: 'nas.localhost' } as const

/** A page at home that never ends. */
const endlessServer = () =>
  createServer((_, answer) => {
    answer.write('begin')
  })

/** Opens the endless page; `text` grows, `closed` settles when the visitor is cut. */
function openEndless(port: number) {
  const socket = connect({ host: '127.0.0.1', port })
  whenDone(() => socket.resetAndDestroy())
  const flow = { text: '', isClosed: false }
  socket.on('data', chunk => {
    flow.text += chunk
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    flow.isClosed = true
  })
  socket.write('GET / HTTP/1.1\r\nHost: nas.localhost:8080\r\n\r\n')
  return flow
}

describe('a change of a record', () => {
  it('is live at once for the next request', async () => {
    const bench = await createBench()
    bench.server.setRoute(bench.route())
    await bench.link()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    expect(bench.server.asked).toEqual([host])

    bench.server.deny('nas.localhost', 'record_disabled')
    const startedAt = performance.now()
    bench.server.peer?.notify('routes_changed', [host])
    let status = 200
    while (status === 200) status = (await bench.visit('nas.localhost')).status
    expect(status).toBe(404)
    expect(performance.now() - startedAt).toBeLessThan(500)
  })

  it('cuts flows whose target changed or whose record is gone', async () => {
    const bench = await createBench()
    const endless = `http://127.0.0.1:${await serveHttp(endlessServer())}`
    await bench.link()
    for (const change of [
      () => bench.server.setRoute(bench.route()),
      () => bench.server.deny('nas.localhost', 'unknown_name'),
      () => bench.server.setRoute(bench.route({ target: endless, access: ['owner'] })),
    ]) {
      bench.server.setRoute(bench.route({ target: endless }))
      bench.server.peer?.notify('routes_changed', [host])
      await bench.server.peer?.request('probe', bench.route({ device: 'nobody' }))
      const flow = openEndless(bench.port)
      await until(() => flow.text.includes('begin'))
      change()
      bench.server.peer?.notify('routes_changed', [host])
      await until(() => flow.isClosed)
      expect(flow.text).toContain('begin')
    }
  })

  it('leaves flows alone that it does not concern', async () => {
    const bench = await createBench()
    const endless = `http://127.0.0.1:${await serveHttp(endlessServer())}`
    await bench.link()
    bench.server.setRoute(bench.route({ target: endless }))
    const flow = openEndless(bench.port)
    await until(() => flow.text.includes('begin'))
    bench.server.setRoute(bench.route({ target: endless, access: ['public', 'owner'] }))
    bench.server.deny('cam.localhost', 'unknown_name')
    const cam = { kind: 'host', host: 'cam.localhost' } as const
    bench.server.peer?.notify('routes_changed', [host, cam])
    await until(() => bench.server.asked.length === 2)
    await bench.server.peer?.request('probe', bench.route({ device: 'nobody' }))
    expect(flow.isClosed).toBe(false)
  })
})

describe('a lost control link', () => {
  it('goes on with what is known, refuses the rest, and comes back by itself', async () => {
    const bench = await createBench()
    bench.server.setRoute(bench.route(), 1)
    const { muxer } = await bench.link()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    await bench.server.drop()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    expect((await bench.visit('new.localhost')).status).toBe(503)

    bench.server.isUp = true
    await until(() => bench.server.hellos.length === 2)
    expect(bench.server.hellos[1]).toEqual([
      expect.objectContaining({ device: 'nas', session: 'session-1', public_ip: '127.0.0.1' }),
    ])
    let status = 503
    while (status === 503) status = (await bench.visit('new.localhost')).status
    expect(status).toBe(404)
    expect(muxer.isOpen).toBe(true)
  })

  it('lets a known device link again while the server is away, and no unknown one', async () => {
    const bench = await createBench()
    const first = await bench.link()
    await bench.server.drop()
    first.muxer.close()
    await first.muxer.closed
    const again = await bench.link()
    expect(again.muxer.isOpen).toBe(true)
    bench.device.uid = 'stranger'
    await expect(bench.link()).rejects.toMatchObject({ code: 'relay_busy', retry: 'later' })
  })

  it('cuts what was closed while nobody could be told', async () => {
    const bench = await createBench()
    const endless = `http://127.0.0.1:${await serveHttp(endlessServer())}`
    bench.server.setRoute(bench.route({ target: endless }))
    await bench.link()
    const flow = openEndless(bench.port)
    await until(() => flow.text.includes('begin'))
    await bench.server.drop()
    bench.server.deny('nas.localhost', 'record_disabled')
    bench.server.isUp = true
    await until(() => flow.isClosed)
    expect(bench.server.hellos).toHaveLength(2)
  })
})
