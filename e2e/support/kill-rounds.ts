import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  CallError,
  createAnnouncement,
  createRecord,
  deleteRecord,
  getProfile,
  listAnnouncements,
  listRouters,
  patchProfile,
  patchRecord,
} from '@homeport/contract'
import { expect } from 'vitest'
import { type Account, addDevice, publish, setUpAdministrator } from './account.ts'
import type { Homeport } from './processes.ts'

/** What the rounds did. */
export interface KillFigures {
  rounds: number
  /** Writes that were answered, by kind. */
  acknowledged: Record<'announcements' | 'records' | 'edits' | 'profile', number>
  /** Writes that were cut off and found whole all the same. */
  unansweredKept: number
}

/** A value that only ever grows, written in two columns at once. */
interface Series {
  sent: number
  acknowledged: number
}

const detailOf = (title: string) => `${title} `.repeat(100).trim()
const targetOf = (n: number) => `http://192.168.1.1:${1000 + n}`
const usernameOf = (n: number) => `reader-${n}`

/** Kills come after so many answers of a round: early, late and in between. */
const answersBefore = (round: number) => 10 + ((round * 13) % 40)

/**
 * Starts, kills in the middle of writes of several writers, starts again, compares: nothing that was acknowledged may be missing,
 * nothing half-written may be there, and the file must be sound. Ends with the deployment killed and its folder removed.
 */
export async function runKillRounds(
  rounds: number,
  start: (again?: { folder: string; port: number }) => Promise<Homeport>,
): Promise<KillFigures> {
  let homeport = await start()
  try {
    return await killInRounds(homeport, rounds, async again => {
      homeport = await start(again)
      return homeport
    })
  } finally {
    homeport.kill()
    await homeport.stop()
    await rm(homeport.folder, { recursive: true, force: true })
  }
}

async function killInRounds(
  fresh: Homeport,
  rounds: number,
  start: (again: { folder: string; port: number }) => Promise<Homeport>,
): Promise<KillFigures> {
  let homeport = fresh
  const { folder, port } = homeport
  const first = await setUpAdministrator(homeport)
  const { id: router, agent } = await addDevice(homeport, first, 'survivor')
  await agent.stop()
  const { id: edited } = await publish(first, router, { name: 'edited', target: targetOf(0) })
  const [profile] = await first.client.call(getProfile, {})
  const user = profile?.id ?? 0

  const titles = new Set<string>()
  const sentTitles = new Set<string>()
  const figures: KillFigures = {
    rounds,
    acknowledged: { announcements: 0, records: 0, edits: 0, profile: 0 },
    unansweredKept: 0,
  }
  const edits: Series = { sent: 0, acknowledged: 0 }
  const reads: Series = { sent: 0, acknowledged: 0 }

  for (let round = 0; round < rounds; round += 1) {
    const { client } = first
    const names = new Set<string>()
    const sentNames = new Set<string>()
    let answers = 0
    const acknowledge = (kind: keyof KillFigures['acknowledged']) => {
      figures.acknowledged[kind] += 1
      answers += 1
      // Killed while the other writers wait for their answers.
      if (answers === answersBefore(round)) homeport.kill()
    }
    const announce = async () => {
      for (;;) {
        const title = `title-${sentTitles.size}`
        sentTitles.add(title)
        await client.call(createAnnouncement, { body: { title, detail: detailOf(title), url: '' } })
        titles.add(title)
        acknowledge('announcements')
      }
    }
    const record = async () => {
      for (;;) {
        const name = `r${round}-${sentNames.size}`
        sentNames.add(name)
        const access = ['owner', 'public'] as const
        const body = { router, name, target: targetOf(round), remark: name, access: [...access] }
        await client.call(createRecord, { body })
        names.add(name)
        acknowledge('records')
      }
    }
    const edit = async () => {
      for (;;) {
        const n = ++edits.sent
        const body = { target: targetOf(n), remark: String(n) }
        await client.call(patchRecord, { params: { id: edited }, body })
        edits.acknowledged = n
        acknowledge('edits')
      }
    }
    const read = async () => {
      for (;;) {
        const n = ++reads.sent
        const body = { readed_announcement_id: n, username: usernameOf(n) }
        await client.call(patchProfile, { params: { id: user }, body })
        reads.acknowledged = n
        acknowledge('profile')
      }
    }
    const ends = await Promise.allSettled([
      announce(),
      announce(),
      record(),
      record(),
      edit(),
      read(),
    ])
    for (const end of ends) {
      // Every writer was cut off by the kill; none was refused.
      const reason = end.status === 'rejected' ? end.reason : undefined
      expect(reason).toBeInstanceOf(CallError)
      expect(reason.code).toBe('network')
    }
    await homeport.stop()
    await expectSoundFile(folder)

    homeport = await start({ folder, port })
    // The session that was begun before all kills counts on, whatever name its account has by now.
    const after = first
    figures.unansweredKept += await compareAnnouncements(after, titles, sentTitles)
    figures.unansweredKept += await compareRecords(after, {
      names,
      sentNames,
      router,
      round,
      edits,
    })
    figures.unansweredKept += await compareProfile(after, reads)
  }
  return figures
}

/** Judged on a copy, so that the product itself recovers what the kill left. */
async function expectSoundFile(folder: string): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'homeport-e2e-'))
  await cp(join(folder, 'data'), copy, { recursive: true })
  const database = new DatabaseSync(join(copy, 'homeport.sqlite'))
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  database.close()
  await rm(copy, { recursive: true })
}

/** Returns how many were kept unanswered; from here on they count as acknowledged. */
function compareSets(
  found: ReadonlySet<string>,
  acknowledged: Set<string>,
  sent: Set<string>,
): number {
  expect([...acknowledged].filter(name => !found.has(name))).toEqual([])
  expect([...found].filter(name => !sent.has(name))).toEqual([])
  const kept = found.size - acknowledged.size
  for (const name of found) acknowledged.add(name)
  return kept
}

function compareSeries(found: number, series: Series): number {
  expect(found).toBeGreaterThanOrEqual(series.acknowledged)
  expect(found).toBeLessThanOrEqual(series.sent)
  const kept = found - series.acknowledged
  series.acknowledged = found
  return kept
}

async function compareAnnouncements(
  { client }: Account,
  titles: Set<string>,
  sent: Set<string>,
): Promise<number> {
  const found = await client.call(listAnnouncements, {})
  for (const { title, detail } of found) expect(detail).toBe(detailOf(title))
  return compareSets(new Set(found.map(({ title }) => title)), titles, sent)
}

async function compareRecords(
  { client }: Account,
  round: {
    names: Set<string>
    sentNames: Set<string>
    router: number
    round: number
    edits: Series
  },
): Promise<number> {
  const page = await client.call(listRouters, { query: { id: round.router } })
  const records = page.results[0]?.records ?? []
  const edited = records.find(({ name }) => name === 'edited')
  const edits = Number(edited?.remark)
  expect(edited?.target).toBe(targetOf(edits))
  const added = records.filter(({ name }) => name !== 'edited')
  for (const { name, remark, target, access } of added) {
    expect([remark, target, [...access].sort()]).toEqual([
      name,
      targetOf(round.round),
      ['owner', 'public'],
    ])
  }
  const found = new Set(added.map(({ name }) => name))
  const kept = compareSets(found, round.names, round.sentNames)
  // A device may have a hundred; the next round finds none of these.
  for (const { id } of added) await client.call(deleteRecord, { params: { id } })
  return kept + compareSeries(edits, round.edits)
}

async function compareProfile({ client }: Account, reads: Series): Promise<number> {
  const [profile] = await client.call(getProfile, {})
  const read = profile?.readed_announcement_id ?? Number.NaN
  if (reads.acknowledged > 0) expect(profile?.username).toBe(usernameOf(read))
  return compareSeries(read, reads)
}
