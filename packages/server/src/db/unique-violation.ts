const sqliteUniqueErrcode = 2067
const sqlitePrimaryKeyErrcode = 1555
const postgresUniqueCode = '23505'

/** True for the fault of a write that would make a second row with a value that must be unique, on both engines. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return (
    code === postgresUniqueCode ||
    errcode === sqliteUniqueErrcode ||
    errcode === sqlitePrimaryKeyErrcode
  )
}
