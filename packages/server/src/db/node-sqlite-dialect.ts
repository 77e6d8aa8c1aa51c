import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'

/** Prepared statements kept for one database; the product has fewer shapes of queries than this. */
const statementLimit = 500

// SQLite does roll back DDL, so a migration that is cut off by a kill leaves nothing half-made.
class NodeSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

// A deferred transaction that reads first and writes later fails at once (no busy time-out) when another process wrote in
// between; `immediate` waits for the write lock at its begin.
class NodeSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
}

/** Kysely on `node:sqlite`; `file` is a path or `:memory:`. A commit is on disk before it is acknowledged. */
export function createNodeSqliteDialect(file: string): Dialect {
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver: () => new NodeSqliteDriver({ database: async () => openFile(file) }),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function openFile(file: string): SqliteDatabase {
  // SQLite would make it by the umask, so readable for all, and gives the mode to its -wal and -shm. A folder that was there
  // before us may be open to others; the mode of a file that exists is its owner's choice.
  if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file)
  // FULL: WAL alone syncs only at checkpoints and a power cut would lose acknowledged commits.
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma busy_timeout = 5000',
  )
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const statement = adaptStatement(database.prepare(sql))
      // Queries with lists of varying length would otherwise grow this without end.
      if (statements.size >= statementLimit) statements.clear()
      statements.set(sql, statement)
      return statement
    },
  }
}

const bind = (parameters: readonly unknown[]) => parameters as SQLInputValue[]

function adaptStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: parameters => statement.all(...bind(parameters)),
    run: parameters => statement.run(...bind(parameters)),
    iterate: parameters => statement.iterate(...bind(parameters)),
  }
}
