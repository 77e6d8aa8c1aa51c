import type { Usage } from '@homeport/contract/control'
import { describe, expect, it } from 'vitest'
import { createUsageMeter } from './usage.ts'

const use = (record: number, bytes = 1): Usage => ({
  record,
  requests: 1,
  bytes_in: bytes,
  bytes_out: 2 * bytes,
})

describe('the usage meter', () => {
  it('adds up by record and forgets what was reported', () => {
    const meter = createUsageMeter()
    meter.add(use(1, 10))
    meter.add(use(2, 5))
    meter.add(use(1, 1))
    const batches: Usage[][] = []
    const send = (batch: Usage[]) => batches.push(batch) > 0
    meter.flush(send)
    meter.flush(send)
    expect(batches).toEqual([[{ record: 1, requests: 2, bytes_in: 11, bytes_out: 22 }, use(2, 5)]])
  })

  it('keeps what could not be told', () => {
    const meter = createUsageMeter()
    meter.add(use(1))
    meter.flush(() => false)
    meter.add(use(1))
    const batches: Usage[][] = []
    meter.flush(batch => batches.push(batch) > 0)
    expect(batches).toEqual([[{ record: 1, requests: 2, bytes_in: 2, bytes_out: 4 }]])
  })

  it('reports many records in messages of bounded size', () => {
    const meter = createUsageMeter()
    for (let record = 1; record <= 1200; record += 1) meter.add(use(record))
    const sizes: number[] = []
    meter.flush(batch => sizes.push(batch.length) > 0)
    expect(sizes).toEqual([500, 500, 200])
  })
})
