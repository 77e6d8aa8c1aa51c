import { describe, expect, it } from 'vitest'
import { readAnswers } from './load/wrk.ts'
import type { MeasureId, Sample } from './measures.ts'
import { readOptions } from './options.ts'
import type { Result } from './race.ts'
import { type Report, renderReport } from './report.ts'
import { compare, median } from './statistics.ts'
import type { WayId } from './way.ts'

const place = { port: 1, host: 'localhost', isTls: false }

function resultOf(id: WayId, samples: Partial<Record<MeasureId, Sample[]>>): Result {
  const sides = [
    { name: 'relay', pid: 1 },
    { name: 'agent', pid: 2 },
  ] as const
  return {
    way: { id, name: id, down: place, up: place, sides },
    samples: new Map(Object.entries(samples) as [MeasureId, Sample[]][]),
    idleMib: [60, 50],
    faults: [],
  }
}

const samples = (...rates: number[]): Sample[] => rates.map(rate => ({ rate, cpu: [11, 12] }))
const twiceAsDear = (...rates: number[]): Sample[] => rates.map(rate => ({ rate, cpu: [24, 22] }))

function render(changes: Partial<Report>): string {
  return renderReport({
    date: new Date('2026-01-02T03:04:05Z'),
    options: '',
    machine: 'a machine',
    versions: 'versions',
    load: [0.1, 0.2, 0.3],
    rounds: { rounds: 3, seconds: 2, bulkSeconds: 1 },
    http: [],
    tcp: [],
    leftOut: [],
    ...changes,
  })
}

describe('the report of a bench', () => {
  it('compares medians of the same run with the marks', () => {
    const text = render({
      tcp: [
        resultOf('record', { requests: samples(90, 120, 110), down8: samples(50, 74.9, 80) }),
        resultOf('nginx-tcp', {
          requests: twiceAsDear(100, 100, 100),
          down8: twiceAsDear(100, 100, 100),
        }),
      ],
    })
    expect(text).toMatch(
      /nginx hops with TLS, requests\/s \| ≥ 1.00 \| \*\*1.10\*\* \| 0.90–1.20 \| 2.00 \| reached \|/,
    )
    expect(text).toMatch(
      /down, 8 streams \| ≥ 0.75 \| \*\*0.74\*\* \| 0.50–0.80 \| 2.00 \| not reached \|/,
    )
    expect(text).toContain('| record | 110 (90–120) | 1.10 |')
    expect(text).toContain('relay 11.0 + agent 12.0')
    expect(text).toContain('relay 60 + agent 50')
  })

  it('leaves out what was not measured, and says so', () => {
    const text = render({
      http: [
        resultOf('door', { requests: samples(10) }),
        { ...resultOf('nginx-kept', { requests: [] }), faults: ['proof: was answered with 502'] },
      ],
      leftOut: ['HAProxy: haproxy is missing (Debian: apt-get install haproxy)'],
    })
    expect(text).not.toContain('NaN')
    expect(text).not.toContain('≥')
    expect(text).toContain('| door | 10 (10–10) | – | – / – | – / – |')
    expect(text).toContain('- nginx-kept: failed (proof: was answered with 502)')
    expect(text).toContain('- HAProxy: haproxy is missing')
    expect(text).not.toContain('### TCP')
  })
})

describe('what wrk says', () => {
  const counts = '  1000 requests in 2.00s, 1.00MB read\nRequests/sec:    500.25\n'

  it('is read', () => {
    expect(readAnswers(counts)).toEqual({ count: 1000, perSecond: 500.25 })
  })

  it.each([
    '  Socket errors: connect 0, read 3, write 0, timeout 0\n',
    '  Non-2xx or 3xx responses: 7\n',
  ])('is no figure with %s', line => {
    expect(() => readAnswers(counts + line)).toThrow(line.trim())
  })

  it('is no figure without answers', () => {
    expect(() =>
      readAnswers('  0 requests in 2.00s, 0.00B read\nRequests/sec:      0.00\n'),
    ).toThrow('no answers')
  })
})

describe('medians and ratios', () => {
  it('take the middle', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
    expect(median([])).toBeNaN()
  })

  it('are none where one series is empty', () => {
    expect(compare([1], [])).toBeUndefined()
  })
})

describe('the command line', () => {
  it('has defaults', () => {
    expect(readOptions([])).toEqual({
      rounds: { rounds: 5, seconds: 2, bulkSeconds: 1.5 },
      only: ['http', 'tcp'],
      ways: [],
    })
  })

  it.each([
    ['--rounds', '0'],
    ['--seconds', '1.5'],
    ['--bulk-seconds', 'long'],
    ['--only', 'udp'],
    ['--ways', 'door,window'],
  ])('refuses %s %s by name', (flag, value) => {
    expect(() => readOptions([flag, value])).toThrow(`${flag} must be`)
  })
})
