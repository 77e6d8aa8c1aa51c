import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { RelayConfig } from '../config.ts'
import { createBench, serveHttp, until, whenDone } from '../testing/bench.ts'

/** A relay with a record whose `/big` sends 2 MiB and stays open, and everything else answers at once. No device counts as near. */
async function createLoadedBench(links: NonNullable<RelayConfig['limits']>['links'] = {}) {
  const bench = await createBench({ limits: { links: { nearRoundTripMs: 0, ...links } } })
  const home = createServer((request, answer) => {
    if (request.url !== '/big') return answer.end('small')
    return answer.write(Buffer.alloc(2 * 1024 * 1024))
  })
  bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(home)}` }))

  /** Begins a transfer and waits until the visitor has all that was sent so far. */
  async function download() {
    const visitor = connect(bench.port, '127.0.0.1')
    whenDone(() => visitor.destroy())
    visitor.write('GET /big HTTP/1.1\r\nHost: nas.localhost\r\n\r\n')
    let bytes = 0
    visitor.on('data', chunk => {
      bytes += chunk.length
    })
    while (bytes < 2 * 1024 * 1024) await once(visitor, 'data')
    return visitor
  }

  return { ...bench, download }
}

describe('links of a session', () => {
  it('are not asked for while nothing is in the way', async () => {
    const bench = await createLoadedBench()
    const link = await bench.link()
    for (let visit = 0; visit < 5; visit += 1) await bench.visit('nas.localhost')
    expect(link.told).toEqual([])
  })

  it('grow by one when each of them carries a bulk transfer, and new flows keep off those', async () => {
    const bench = await createLoadedBench()
    const first = await bench.link()
    await bench.download()
    await until(() => first.told.length > 0)
    expect(first.told).toEqual([{ type: 'grow', links: 2 }])

    const second = await bench.link()
    const before = first.targets.length
    for (let visit = 0; visit < 3; visit += 1) {
      expect((await bench.visit('nas.localhost')).body).toBe('small')
    }
    expect(first.targets.length).toBe(before)
    expect(second.targets.length).toBeGreaterThan(0)
  })

  it('are not asked for by bulk transfers of a device near by', async () => {
    const bench = await createLoadedBench({ nearRoundTripMs: 60_000 })
    const link = await bench.link()
    await until(() => link.muxer.roundTripMs > 0)
    await bench.download()
    expect((await bench.visit('nas.localhost')).body).toBe('small')
    expect(link.told).toEqual([])
  })

  it('grow with the number of flows', async () => {
    const bench = await createLoadedBench()
    const link = await bench.link()
    const visitors = Array.from({ length: 40 }, () => {
      const visitor = connect(bench.port, '127.0.0.1')
      whenDone(() => visitor.destroy())
      visitor.write('GET / HTTP/1.1\r\nHost: nas.localhost\r\n\r\n')
      return once(visitor, 'data')
    })
    await Promise.all(visitors)
    expect(link.told).toEqual([{ type: 'grow', links: 2 }])
  })

  it('are never asked for beyond the limit of a device', async () => {
    const bench = await createLoadedBench({ linksPerDevice: 1 })
    const link = await bench.link()
    await bench.download()
    expect((await bench.visit('nas.localhost')).body).toBe('small')
    expect(link.told).toEqual([])
  })

  it('shrink to one when they carry nothing, and the session stays', async () => {
    const bench = await createLoadedBench({ idleLinkMs: 20 })
    const links = [await bench.link(), await bench.link(), await bench.link()]
    await until(() => links.filter(link => link.muxer.isOpen).length === 1)
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    expect(bench.server.closed).toEqual([])
    expect(links.filter(link => link.muxer.isOpen).length).toBe(1)
  })

  it('that carry a flow are not closed', async () => {
    const bench = await createLoadedBench({ idleLinkMs: 20 })
    const first = await bench.link()
    await bench.download()
    const second = await bench.link()
    await second.muxer.closed
    expect(first.muxer.isOpen).toBe(true)
    expect((await bench.visit('nas.localhost')).body).toBe('small')
  })
})
