import { CallError, type CallFailureCode, type Client, getProfile } from '@homeport/contract'
import { describe, expect, it } from 'vitest'
import { retryStaleCsrf } from './api-client.ts'

/** A server that fails with these codes in turn and then answers; counts the calls. */
function failing(...codes: CallFailureCode[]) {
  const calls = { count: 0 }
  const client: Client = {
    async call() {
      calls.count += 1
      const code = codes.shift()
      if (code !== undefined) throw new CallError(code, { detail: '' })
      return [] as never
    },
  }
  return { calls, client: retryStaleCsrf(client) }
}

describe('retryStaleCsrf', () => {
  it('asks once more after csrf_failed', async () => {
    const { client, calls } = failing('csrf_failed')
    expect(await client.call(getProfile, {})).toEqual([])
    expect(calls.count).toBe(2)
  })

  it('gives up at the second csrf_failed', async () => {
    const { client, calls } = failing('csrf_failed', 'csrf_failed')
    await expect(client.call(getProfile, {})).rejects.toMatchObject({ code: 'csrf_failed' })
    expect(calls.count).toBe(2)
  })

  it('repeats nothing else', async () => {
    const { client, calls } = failing('network')
    await expect(client.call(getProfile, {})).rejects.toMatchObject({ code: 'network' })
    expect(calls.count).toBe(1)
  })
})
