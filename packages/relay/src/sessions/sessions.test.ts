import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createTestDevice, linkAgent } from '../testing/agent.ts'
import { createBench, pageHeaders, serveHttp, until, whenDone } from '../testing/bench.ts'

describe('sessions of devices', () => {
  it('tell the server who is here and show an offline device as such', async () => {
    const bench = await createBench()
    bench.server.setRoute(bench.route())
    const offline = await bench.visit('nas.localhost', '/', { headers: pageHeaders })
    expect(offline.status).toBe(503)
    expect(offline.body).toContain('device_offline')

    const link = await bench.link()
    await until(() => bench.server.opened.length === 1)
    expect(bench.server.opened[0]).toMatchObject({
      device: 'nas',
      session: 'session-1',
      agent_version: '1.2.3',
      model: 'test',
      public_ip: '127.0.0.1',
      lan_ip: '192.168.1.9',
    })
    expect((await bench.visit('nas.localhost')).status).toBe(200)

    link.muxer.close()
    await until(() => bench.server.closed.length === 1)
    expect(bench.server.closed[0]).toMatchObject({ device: 'nas', session: 'session-1' })
    expect((await bench.visit('nas.localhost')).status).toBe(503)

    await bench.link()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
  })

  it('stay while one of several links is left, and spread flows over them', async () => {
    const bench = await createBench()
    const waiting: (() => void)[] = []
    const slow = createServer((_, answer) => waiting.push(() => answer.end('done')))
    bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(slow)}` }))
    const first = await bench.link()
    const second = await bench.link()
    await until(() => first.muxer.streamCount === 1 && second.muxer.streamCount === 1)
    const visits = [bench.visit('nas.localhost'), bench.visit('nas.localhost')]
    await until(() => waiting.length === 2)
    expect([first.targets.length, second.targets.length]).toEqual([1, 1])
    for (const answer of waiting.splice(0)) answer()
    expect((await Promise.all(visits)).map(answer => answer.status)).toEqual([200, 200])

    first.muxer.close()
    const last = bench.visit('nas.localhost')
    await until(() => waiting.length === 1)
    waiting[0]?.()
    expect((await last).status).toBe(200)
    expect(bench.server.closed).toEqual([])
  })

  it('go to the newest agent process, and the older one does not fight back', async () => {
    const bench = await createBench()
    bench.server.setRoute(bench.route())
    const old = await bench.link({ session: 'old' })
    const young = await bench.link({ session: 'young' })
    const reason = await old.muxer.closed
    expect(reason.code).toBe('link_lost')
    expect(old.told).toEqual([{ type: 'revoked', code: 'session_replaced' }])
    await expect(bench.link({ session: 'old' })).rejects.toMatchObject({
      code: 'session_replaced',
      retry: 'later',
    })
    await bench.visit('nas.localhost')
    expect(young.targets).toHaveLength(1)
    expect(bench.server.closed.map(({ session, reason }) => [session, reason])).toEqual([
      ['old', 'replaced'],
    ])

    young.muxer.close()
    await until(() => bench.server.closed.length === 2)
    expect((await bench.link({ session: 'old' })).muxer.isOpen).toBe(true)
  })

  it('end at once when the device is deleted, and its key opens nothing any more', async () => {
    const bench = await createBench()
    bench.server.setRoute(bench.route())
    const link = await bench.link()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    bench.server.keys.delete('nas')
    bench.server.peer?.notify('device_revoked', { device: 'nas', code: 'deleted' })
    await link.muxer.closed
    expect(link.told).toEqual([{ type: 'revoked', code: 'device_revoked' }])
    await expect(bench.link()).rejects.toMatchObject({ code: 'device_unknown', retry: 'never' })
    expect((await bench.visit('nas.localhost')).status).toBe(503)
  })

  it('refuse strangers, wrong keys and devices that are paused elsewhere', async () => {
    const bench = await createBench()
    const stranger = createTestDevice('stranger')
    await expect(linkAgent(bench.port, stranger)).rejects.toMatchObject({ code: 'device_unknown' })
    const thief = { ...createTestDevice('nas'), uid: 'nas' }
    await expect(linkAgent(bench.port, thief)).rejects.toMatchObject({ code: 'proof_invalid' })
    expect(bench.server.opened).toEqual([])
  })

  it('hold at most so many links, and so many of one device', async () => {
    const bench = await createBench({ limits: { links: { links: 3, linksPerDevice: 2 } } })
    await bench.link()
    await bench.link()
    await expect(bench.link()).rejects.toMatchObject({ code: 'relay_busy', retry: 'later' })
    const cam = createTestDevice('cam')
    bench.server.keys.set('cam', cam.publicKey)
    const third = await linkAgent(bench.port, cam)
    const gate = createTestDevice('gate')
    bench.server.keys.set('gate', gate.publicKey)
    await expect(linkAgent(bench.port, gate)).rejects.toMatchObject({ code: 'relay_busy' })
    third.muxer.close()
    await until(() => bench.server.closed.length === 1)
    expect((await linkAgent(bench.port, gate)).muxer.isOpen).toBe(true)
  })

  it('hold at most so many flows of one device', async () => {
    const bench = await createBench({ limits: { links: { flowsPerDevice: 2 } } })
    const waiting: (() => void)[] = []
    const slow = createServer((_, answer) => waiting.push(() => answer.end('done')))
    bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(slow)}` }))
    const link = await bench.link()
    await until(() => link.muxer.streamCount === 1)
    const first = bench.visit('nas.localhost')
    await until(() => waiting.length === 1)
    expect((await bench.visit('nas.localhost')).status).toBe(503)
    waiting[0]?.()
    expect((await first).status).toBe(200)
  })
})

describe('a device that links again and again', () => {
  it('is told to come later, and others are not', async () => {
    const bench = await createBench()
    const outcomes: string[] = []
    for (let round = 0; round < 40; round += 1) {
      const outcome = await bench.link({ session: `s${round}` }).then(
        () => 'linked',
        (error: { code: string; retry: string }) => `${error.code} ${error.retry}`,
      )
      outcomes.push(outcome)
    }
    expect(new Set(outcomes)).toEqual(new Set(['linked', 'relay_busy later']))
    const cam = createTestDevice('cam')
    bench.server.keys.set('cam', cam.publicKey)
    expect((await linkAgent(bench.port, cam)).muxer.isOpen).toBe(true)
  })
})

describe('handshakes', () => {
  const knock = (port: number) => {
    const socket = connect({ host: '127.0.0.1', port })
    whenDone(() => socket.destroy())
    socket.write(
      `GET /.homeport/link HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: homeport/1\r\n\r\n`,
    )
    return socket
  }
  const firstData = (socket: Socket) =>
    new Promise<string>(resolve => socket.once('data', chunk => resolve(chunk.toString('latin1'))))

  it('that prove nothing are bounded for an address, and told when to come back', async () => {
    const bench = await createBench({ limits: { links: { handshakesPerAddress: 2 } } })
    const silent = [knock(bench.port), knock(bench.port)]
    for (const socket of silent) expect(await firstData(socket)).toMatch(/^HTTP\/1\.1 101 /)
    expect(await firstData(knock(bench.port))).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 5\r\n/)
    await expect(bench.link()).rejects.toMatchObject({ code: 'link_refused', retryAfterMs: 5000 })
    silent[0]?.destroy()
    let linked = false
    while (!linked) {
      linked = await bench.link().then(
        () => true,
        () => false,
      )
    }
  })

  it('that prove nothing are ended in time', async () => {
    const bench = await createBench({ limits: { links: { handshakeMs: 50 } } })
    const socket = knock(bench.port)
    let text = ''
    socket.on('data', chunk => {
      text += chunk.toString('latin1')
    })
    await new Promise(resolve => socket.once('end', resolve))
    expect(text).toContain('handshake_timeout')
  })
})

describe('a relay that stops', () => {
  it('tells agents, lets requests finish, and reports the sessions as closed', async () => {
    const bench = await createBench()
    const waiting: (() => void)[] = []
    const slow = createServer((_, answer) => waiting.push(() => answer.end('done')))
    bench.server.setRoute(bench.route({ target: `http://127.0.0.1:${await serveHttp(slow)}` }))
    const link = await bench.link()
    const running = bench.visit('nas.localhost')
    await until(() => waiting.length === 1)
    const stopping = bench.relay.stop()
    await until(() => link.told.length === 1)
    expect(link.told).toEqual([{ type: 'drain', deadlineMs: 3000 }])
    waiting[0]?.()
    expect((await running).body).toBe('done')
    await stopping
    await link.muxer.closed
    await until(() => bench.server.closed.length === 1 && bench.server.usage.length > 0)
    expect(bench.server.usage).toEqual([expect.objectContaining({ record: 7, requests: 1 })])
    await expect(bench.visit('nas.localhost')).rejects.toThrow('ECONNREFUSED')
  })
})
