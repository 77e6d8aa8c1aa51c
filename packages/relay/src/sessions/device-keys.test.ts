import { describe, expect, it } from 'vitest'
import { createDeviceKeys } from './device-keys.ts'

type KeyAnswer = { public_key: string } | null

function createBench() {
  const bench = { now: 0, asked: 0 }
  const open: PromiseWithResolvers<KeyAnswer>[] = []
  const keys = createDeviceKeys({
    now: () => bench.now,
    ask() {
      bench.asked += 1
      const question = Promise.withResolvers<KeyAnswer>()
      open.push(question)
      return question.promise
    },
  })
  const next = () => {
    const question = open.shift()
    if (question === undefined) throw new Error('nothing was asked')
    return question
  }
  return Object.assign(bench, { keys, next })
}

const answer = { public_key: 'k' }
const found = { publicKey: 'k' }

describe('keys of devices', () => {
  it('are asked once for many handshakes and kept for a minute', async () => {
    const bench = createBench()
    const both = [bench.keys.find('nas'), bench.keys.find('nas')]
    bench.next().resolve(answer)
    expect(await Promise.all(both)).toEqual([found, found])
    bench.now = 59_999
    expect(await bench.keys.find('nas')).toEqual(found)
    expect(bench.asked).toBe(1)
    bench.now = 60_000
    const again = bench.keys.find('nas')
    bench.next().resolve(null)
    expect(await again).toBeNull()
  })

  it('serve for an hour while the server is away, unless they were revoked', async () => {
    const bench = createBench()
    const first = bench.keys.find('nas')
    bench.next().resolve(answer)
    await first
    bench.now = 3_599_999
    const stale = bench.keys.find('nas')
    bench.next().reject(new Error('closed'))
    expect(await stale).toEqual(found)
    bench.keys.forget('nas')
    const revoked = bench.keys.find('nas')
    bench.next().reject(new Error('closed'))
    await expect(revoked).rejects.toMatchObject({ code: 'relay_busy', retry: 'later' })
  })

  it('are not current once they were revoked, even between look-up and proof', async () => {
    const bench = createBench()
    const first = bench.keys.find('nas')
    bench.next().resolve(answer)
    await first
    expect(bench.keys.isCurrent('nas', found)).toBe(true)
    bench.keys.forget('nas')
    expect(bench.keys.isCurrent('nas', found)).toBe(false)

    const overtaken = bench.keys.find('nas')
    bench.keys.forget('nas')
    bench.next().resolve(answer)
    await expect(overtaken).rejects.toMatchObject({ code: 'relay_busy', retry: 'later' })
    expect(bench.keys.isCurrent('nas', found)).toBe(false)
  })

  it('are asked for at most so many at a time', async () => {
    const bench = createBench()
    const open = Array.from({ length: 256 }, (_, index) => bench.keys.find(`d${index}`))
    await expect(bench.keys.find('one-more')).rejects.toMatchObject({ code: 'relay_busy' })
    for (const _ of open) bench.next().resolve(null)
    expect(new Set(await Promise.all(open))).toEqual(new Set([null]))
  })
})
