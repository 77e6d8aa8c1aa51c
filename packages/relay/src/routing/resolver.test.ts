import type { RouteDecision, RouteKey } from '@homeport/contract/control'
import { describe, expect, it } from 'vitest'
import { createResolver, defaultResolverLimits } from './resolver.ts'

const key = (label: string): RouteKey => ({ kind: 'host', host: `${label}.localhost` })

const allow = (record: number, maxAgeMs = 60_000): RouteDecision => ({
  allow: true,
  max_age_ms: maxAgeMs,
  route: {
    record,
    device: 'dev',
    device_id: 1,
    owner: 1,
    kind: 'http',
    host: 'nas.localhost',
    port: null,
    target: 'http://192.168.1.2:80',
    access: ['public'],
    options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
  },
})
const unknown: RouteDecision = { allow: false, code: 'unknown_name', max_age_ms: 60_000 }

/** A resolver whose server answers by hand, and a clock moved by hand. */
function createBench(limits: Partial<typeof defaultResolverLimits> = {}) {
  const bench = { now: 1_000_000, asked: [] as string[] }
  const open: { resolve(decision: RouteDecision): void; reject(error: Error): void }[] = []
  const resolver = createResolver({
    now: () => bench.now,
    limits: { ...defaultResolverLimits, ...limits },
    ask: asked => {
      bench.asked.push(asked.kind === 'host' ? asked.host : String(asked.port))
      return new Promise((resolve, reject) => open.push({ resolve, reject }))
    },
  })
  const next = () => {
    const question = open.shift()
    if (question === undefined) throw new Error('nothing was asked')
    return question
  }
  return Object.assign(bench, { resolver, next })
}

describe('resolver', () => {
  it('asks once for many and answers at once from then on', async () => {
    const bench = createBench()
    const first = bench.resolver.resolve(key('nas'))
    const second = bench.resolver.resolve(key('nas'))
    bench.next().resolve(allow(7))
    expect(await first).toEqual(allow(7))
    expect(await second).toEqual(allow(7))
    expect(bench.resolver.resolve(key('nas'))).toEqual(allow(7))
    expect(bench.asked).toEqual(['nas.localhost'])
  })

  it('asks again after the age the server gave, and sooner for a denial', async () => {
    const bench = createBench()
    const good = bench.resolver.resolve(key('nas'))
    bench.next().resolve(allow(7, 5000))
    await good
    const bad = bench.resolver.resolve(key('x'))
    bench.next().resolve(unknown)
    await bad
    bench.now += 4999
    expect(bench.resolver.resolve(key('nas'))).toEqual(allow(7, 5000))
    bench.now += 1
    expect(bench.resolver.resolve(key('nas'))).toBeInstanceOf(Promise)
    expect(bench.resolver.resolve(key('x'))).toEqual(unknown)
    bench.now += 5000
    expect(bench.resolver.resolve(key('x'))).toBeInstanceOf(Promise)
  })

  it('serves what it knows for an hour while the server is away, and nothing else', async () => {
    const bench = createBench()
    const good = bench.resolver.resolve(key('nas'))
    bench.next().resolve(allow(7, 1000))
    await good
    bench.now += 1000 + 60 * 60 * 1000 - 1
    const stale = bench.resolver.resolve(key('nas'))
    bench.next().reject(new Error('closed'))
    expect(await stale).toEqual(allow(7, 1000))
    const never = bench.resolver.resolve(key('new'))
    bench.next().reject(new Error('closed'))
    expect(await never).toEqual({ allow: false, code: 'unavailable' })
    bench.now += 2001
    const tooOld = bench.resolver.resolve(key('nas'))
    bench.next().reject(new Error('closed'))
    expect(await tooOld).toEqual({ allow: false, code: 'unavailable' })
  })

  it('does not ask for each request while the server fails', async () => {
    const bench = createBench()
    const good = bench.resolver.resolve(key('nas'))
    bench.next().resolve(allow(7, 1000))
    await good
    bench.now += 1000
    const stale = bench.resolver.resolve(key('nas'))
    bench.next().reject(new Error('timeout'))
    await stale
    expect(bench.resolver.resolve(key('nas'))).toEqual(allow(7, 1000))
    bench.now += 2000
    expect(bench.resolver.resolve(key('nas'))).toBeInstanceOf(Promise)
  })

  it('forgets at once, never serves the forgotten as stale, and asks a question in flight again', async () => {
    const bench = createBench()
    const good = bench.resolver.resolve(key('nas'))
    bench.next().resolve(allow(7))
    await good
    bench.resolver.forget([key('nas')])
    const second = bench.resolver.resolve(key('nas'))
    bench.resolver.forget([key('nas')])
    bench.next().resolve(allow(7))
    await Promise.resolve()
    await Promise.resolve()
    bench.next().resolve(allow(8))
    expect(await second).toEqual(allow(8))
    bench.resolver.forget([key('nas')])
    const third = bench.resolver.resolve(key('nas'))
    bench.next().reject(new Error('closed'))
    expect(await third).toEqual({ allow: false, code: 'unavailable' })
  })

  it('asks everything again after the link was lost, with the old as a spare', async () => {
    const bench = createBench()
    const good = bench.resolver.resolve(key('nas'))
    bench.next().resolve(allow(7))
    await good
    bench.resolver.expireAll()
    const again = bench.resolver.resolve(key('nas'))
    bench.next().reject(new Error('closed'))
    expect(await again).toEqual(allow(7))
  })

  it('bounds questions in flight and keeps a flood of names from pushing out real ones', async () => {
    const bench = createBench({ askLimit: 3, deniedLimit: 10 })
    const good = bench.resolver.resolve(key('nas'))
    bench.next().resolve(allow(7))
    await good
    for (let index = 0; index < 50; index += 1) {
      const answer = bench.resolver.resolve(key(`r${index}`))
      bench.next().resolve(unknown)
      await answer
    }
    expect(bench.resolver.resolve(key('nas'))).toEqual(allow(7))
    expect(bench.resolver.resolve(key('r49'))).toEqual(unknown)
    const open = ['r0', 'r1', 'r2'].map(label => bench.resolver.resolve(key(label)))
    expect(bench.resolver.resolve(key('r3'))).toEqual({ allow: false, code: 'busy' })
    for (const _ of open) bench.next().resolve(unknown)
    expect(await Promise.all(open)).toEqual([unknown, unknown, unknown])
  })
})
