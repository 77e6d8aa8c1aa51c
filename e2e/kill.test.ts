import { rm } from 'node:fs/promises'
import { CallError, createRecord, listRouters } from '@homeport/contract'
import { expect, it } from 'vitest'
import { addDevice, setUpAdministrator, signIn } from './support/account.ts'
import { startHomeport } from './support/processes.ts'

const rounds = 5
const writers = 4

it(`${rounds} kills in the middle of writes lose nothing that was acknowledged`, async () => {
  let homeport = await startHomeport()
  const { folder, port } = homeport
  const first = await setUpAdministrator(homeport)
  const { id: router, agent } = await addDevice(homeport, first, 'survivor')
  await agent.stop()
  const acknowledged = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const account = await signIn(homeport)
    let sent = 0
    const write = async () => {
      for (;;) {
        const name = `r${round}-${sent++}`
        const body = { router, name, target: 'http://192.168.1.1', access: ['owner' as const] }
        await account.client.call(createRecord, { body })
        acknowledged.add(name)
        // Killed while the other writers wait for their answers.
        if (acknowledged.size === (round + 1) * 12) homeport.child.kill('SIGKILL')
      }
    }
    const ends = await Promise.allSettled(Array.from({ length: writers }, write))
    for (const end of ends) {
      const reason = end.status === 'rejected' ? end.reason : undefined
      expect(reason).toBeInstanceOf(CallError)
      expect(reason.code).toBe('network')
    }
    await homeport.stop()
    homeport = await startHomeport([], { folder, port })
    const after = await signIn(homeport)
    const page = await after.client.call(listRouters, { query: { id: router } })
    const kept = new Set(page.results[0]?.records.map(record => record.name))
    expect([...acknowledged].filter(name => !kept.has(name))).toEqual([])
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(rounds * 12)
  await homeport.stop()
  await rm(folder, { recursive: true, force: true })
})
