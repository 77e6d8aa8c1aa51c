import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type OpenDatabase, openDatabase, openMigratedDatabase } from './database.ts'
import {
  createTestSchema,
  describeOnEveryEngine,
  postgresUrl,
  whileSchemasStay,
} from './testing.ts'
import { isUniqueViolation } from './unique-violation.ts'

describeOnEveryEngine('database', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const announcement = { title: 't', detail: 'd', url: '', display: 1, created_at: 2 ** 41 }

  it('reads ids, epoch ms and counts as numbers', async () => {
    const { db } = database
    const inserted = await db
      .insertInto('announcements')
      .values(announcement)
      .returningAll()
      .executeTakeFirstOrThrow()
    expect(inserted).toMatchObject({ id: 1, created_at: 2 ** 41 })
    const counted = await db
      .selectFrom('announcements')
      .select(expression => [
        expression.fn.countAll<number>().as('count'),
        expression.fn.sum<number>('created_at').as('sum'),
      ])
      .executeTakeFirstOrThrow()
    expect(counted).toEqual({ count: 1, sum: 2 ** 41 })
  })

  it('never uses the id of a deleted row again', async () => {
    const { db } = database
    await db.insertInto('announcements').values(announcement).execute()
    await db.deleteFrom('announcements').execute()
    const second = await db
      .insertInto('announcements')
      .values(announcement)
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(second.id).toBe(2)
  })

  it('tells a second row with a unique value from other faults', async () => {
    const { db } = database
    const code = { code_hash: 'a', created_at: 1 }
    await db.insertInto('setup_codes').values(code).execute()
    const caught = await db
      .insertInto('setup_codes')
      .values(code)
      .execute()
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    expect(isUniqueViolation(caught)).toBe(true)
    const other = await sql`select * from nowhere`.execute(db).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(other).toBeInstanceOf(Error)
    expect(isUniqueViolation(other)).toBe(false)
  })

  it('undoes a transaction that throws', async () => {
    const { db } = database
    await expect(
      db.transaction().execute(async transaction => {
        await transaction.insertInto('announcements').values(announcement).execute()
        throw new Error('changed my mind')
      }),
    ).rejects.toThrow('changed my mind')
    expect(await db.selectFrom('announcements').selectAll().execute()).toEqual([])
  })
})

it('migrates a file twice without a change and syncs every commit', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'homeport-db-'))
  try {
    const open = () =>
      openMigratedDatabase({ file: path.join(folder, 'homeport.sqlite') }, cause => {
        throw cause
      })
    const first = await open()
    await first.db.insertInto('setup_codes').values({ code_hash: 'a', created_at: 1 }).execute()
    await first.close()
    const second = await open()
    expect(await second.db.selectFrom('setup_codes').selectAll().execute()).toHaveLength(1)
    const pragma = async (name: string) =>
      Object.values((await sql`pragma ${sql.raw(name)}`.execute(second.db)).rows[0] ?? {})[0]
    expect(await pragma('journal_mode')).toBe('wal')
    expect(await pragma('synchronous')).toBe(2)
    expect(await pragma('foreign_keys')).toBe(1)
    await second.close()
  } finally {
    await rm(folder, { recursive: true })
  }
})

it.skipIf(postgresUrl === '')('lets a migration take its time, and no query after it', async () => {
  const schema = await createTestSchema()
  const place = { url: postgresUrl, schema: schema.name, queryTimeoutMs: 100 }
  const open = () => openMigratedDatabase(place, () => {})
  const database = await whileSchemasStay(async client => {
    await (await open()).close()
    await client.query(`begin; lock table ${schema.name}.kysely_migration`)
    const opening = open()
    await vi.waitFor(async () => {
      const { rows } = await client.query(
        `select 1 from pg_locks where relation = '${schema.name}.kysely_migration'::regclass
          and not granted and clock_timestamp() - waitstart > interval '300 ms'`,
      )
      expect(rows).toHaveLength(1)
    }, 10_000)
    await client.query('commit')
    return opening
  })
  await expect(sql`select pg_sleep(5)`.execute(database.db)).rejects.toThrow(/timeout/)
  await database.close()
  await schema.drop()
})

it('makes files that no other user of the machine reads', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'homeport-mode-'))
  const database = openDatabase({ file: path.join(folder, 'homeport.sqlite') }, () => {})
  await sql`create table t (a)`.execute(database.db)
  const files = await readdir(folder)
  const modes = await Promise.all(
    files.map(async name => (await stat(path.join(folder, name))).mode & 0o777),
  )
  expect(files).toContain('homeport.sqlite-wal')
  expect(modes).toEqual(files.map(() => 0o600))
  await database.close()
  await rm(folder, { recursive: true })
})
