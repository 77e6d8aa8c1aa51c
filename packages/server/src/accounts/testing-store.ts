import type { OpenDatabase } from '../db/database.ts'
import type { UserId } from './user-id.ts'
import { insertUser } from './user-store.ts'

/** Adds a user that has nothing but a name and what else is told, for tests of rows that belong to one. */
export async function insertTestUser(
  { db }: OpenDatabase,
  name: string,
  more: Partial<Parameters<typeof insertUser>[1]> = {},
): Promise<UserId> {
  const id = await insertUser(db, {
    username: name,
    username_key: name,
    email: '',
    email_key: null,
    password_hash: '',
    token_sealed: '',
    token_index: name,
    is_staff: 0,
    is_superuser: 0,
    is_promoter: 0,
    created_at: 1,
    ...more,
  })
  if (id === null) throw new Error('taken')
  return id
}
