import { createServer } from 'node:http'
import { connect } from 'node:net'
import { createManualClock } from '@homeport/runtime/testing'
import { describe, expect, it } from 'vitest'
import { createBench, pageHeaders, serveHttp, until, whenDone } from './testing/bench.ts'

describe('a relay', () => {
  it('carries a visitor to a page at home and reports what was used', async () => {
    const bench = await createBench()
    bench.server.setRoute(bench.route())
    await bench.link()
    const answer = await bench.visit('nas.localhost', '/films?q=%E4%B8%AD&__hp_ticket=x')
    expect(answer.status).toBe(200)
    const seen = JSON.parse(answer.body)
    expect(seen).toMatchObject({ method: 'GET', url: '/films?q=%E4%B8%AD' })
    expect(seen.headers.host).toBe(new URL(bench.target).host)
    expect(seen.headers['x-forwarded-host']).toBe('nas.localhost:8080')
    await bench.relay.stop()
    await until(() => bench.server.usage.length > 0)
    expect(bench.server.usage).toEqual([
      { record: 7, requests: 1, bytes_in: expect.any(Number), bytes_out: expect.any(Number) },
    ])
    expect(bench.server.usage[0]?.bytes_in).toBeGreaterThan(50)
  })

  it('hands the console to the server and believes nobody about addresses', async () => {
    const bench = await createBench()
    const answer = await bench.visit('localhost', '/api/profile/', {
      headers: {
        'X-Forwarded-For': '9.9.9.9',
        'X-Real-IP': '9.9.9.9',
        'X-Forwarded-Host': 'evil.example',
        'X-Request-Id': 'mine',
        Cookie: 'hp_session=abc',
      },
    })
    const { headers } = JSON.parse(answer.body)
    expect(headers).toMatchObject({
      host: 'localhost:8080',
      'x-forwarded-for': '127.0.0.1',
      'x-real-ip': '127.0.0.1',
      'x-forwarded-host': 'localhost:8080',
      'x-forwarded-proto': 'http',
      cookie: 'hp_session=abc',
    })
    expect(headers['x-request-id']).not.toBe('mine')
  })

  it('believes a trusted proxy, but not what stands before it', async () => {
    const bench = await createBench({ trustedProxies: ['127.0.0.0/8'] })
    const answer = await bench.visit('localhost', '/', {
      headers: { 'X-Forwarded-For': '9.9.9.9, 203.0.113.7' },
    })
    expect(JSON.parse(answer.body).headers['x-real-ip']).toBe('203.0.113.7')
  })

  it('streams events of the console as they come', async () => {
    const consolePort = await serveHttp(
      createServer((_, answer) => {
        answer.setHeader('Content-Type', 'text/event-stream')
        answer.write('data: 1\n\n')
      }),
    )
    const bench = await createBench({ serverAddress: { host: '127.0.0.1', port: consolePort } })
    const socket = connect({ host: '127.0.0.1', port: bench.port })
    whenDone(() => socket.resetAndDestroy())
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.write('GET /api/user/events/ HTTP/1.1\r\nHost: localhost:8080\r\n\r\n')
    await until(() => text.includes('data: 1\n\n'))
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it.each([
    ['h2c', '/', 400],
    ['homeport/1', '/', 400],
    ['websocket', '/.homeport/link', 400],
  ])('refuses an upgrade of the console to %s at %s', async (upgrade, path, status) => {
    const bench = await createBench()
    const answer = await bench.visit('localhost', path, {
      headers: { Connection: 'Upgrade', Upgrade: upgrade, 'Sec-WebSocket-Key': 'x' },
    })
    expect(answer.status).toBe(status)
  })

  it('answers 404 for what belongs to the gate, on every name', async () => {
    const bench = await createBench()
    bench.server.setRoute(bench.route())
    await bench.link()
    for (const path of ['/.homeport/', '/.homeport/link', '/.homeport']) {
      expect((await bench.visit('nas.localhost', path)).status).toBe(404)
    }
  })

  it('sends an unknown name to the console and tells a script 404', async () => {
    const bench = await createBench()
    bench.server.deny('off.localhost', 'record_disabled')
    for (const host of ['off.localhost', 'none.localhost', 'a.b.localhost', 'evil.example']) {
      const page = await bench.visit(host, '/x?y', { headers: pageHeaders })
      expect(page.status).toBe(302)
      expect(page.headers.location).toBe(`http://localhost:8080/#/login?invalidDomain=${host}`)
      const script = await bench.visit(host)
      expect(script.status).toBe(404)
      expect(JSON.parse(script.body)).toMatchObject({ code: 'unknown_name', status: 404 })
    }
  })

  it('says that a paused device is paused', async () => {
    const bench = await createBench()
    bench.server.deny('nas.localhost', 'device_paused')
    const page = await bench.visit('nas.localhost', '/', { headers: pageHeaders })
    expect(page.status).toBe(503)
    expect(page.body).toContain('device_paused')
  })

  it('shows the console on an IP address where that is allowed', async () => {
    const bench = await createBench({ allowIpLiteralConsole: true })
    expect((await bench.visit('192.168.1.5:8080', '/healthz')).status).toBe(200)
    const strict = await createBench()
    expect((await strict.visit('192.168.1.5:8080', '/healthz')).status).toBe(404)
  })

  it('waits for nothing from a server that is known to be silent', async () => {
    let isSilent = false
    const clock = createManualClock()
    const bench = await createBench({ isServerSilent: () => isSilent, clock })
    bench.server.setRoute(bench.route())
    await bench.link()
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    clock.advance(5_000)
    await until(() => bench.server.usage.length === 1)
    isSilent = true
    bench.server.isHanging = true
    // Nothing but the answers themselves is waited for: the clock of every time-out stands.
    expect((await bench.visit('nas.localhost')).status).toBe(200)
    for (const host of ['localhost', 'other.localhost']) {
      const page = await bench.visit(host, '/', { headers: pageHeaders })
      expect(page.status).toBe(503)
      expect(page.body).toContain('unavailable')
    }
    clock.advance(5_000)
    isSilent = false
    expect((await bench.visit('localhost')).status).toBe(200)
    expect(bench.server.usage).toHaveLength(1)
    clock.advance(5_000)
    await until(() => bench.server.usage.length === 2)
    expect(bench.server.usage[1]).toMatchObject({ record: 7, requests: 1 })
  })

  it('refuses to start on a port that is taken', async () => {
    const bench = await createBench()
    const starting = createBench({ port: bench.port })
    await expect(starting).rejects.toThrow('EADDRINUSE')
  })
})
