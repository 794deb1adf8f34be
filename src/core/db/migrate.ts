import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from '../../../vendor/postgres/src/index.js'
import { root } from '../config/config.ts'
import { SetupError } from '../config/setup-error.ts'
import type { Log } from '../telemetry/log.ts'
import { codeOf } from '../thrown.ts'
import { type Db, type Sql, withoutTimeout } from './db.ts'
import { buildIndexes, isConcurrent, isTransactional } from './migrate-indexes.ts'

export interface Migration {
  version: number
  name: string
  checksum: string
  text: string
}

interface Applied {
  version: number
  name: string
  checksum: string
}

/** Migrates the database to the schema of this version. Any number of processes may do so at the same time. */
export async function migrate(db: Db, log: Log, folder = join(root, 'migrations')): Promise<void> {
  try {
    await createTable(db)
    const pending = await pendingMigrations(db, folder)
    if (pending.length) await withoutTimeout(db, own => applyAll(own, db, log, pending))
  } catch (error) {
    if (!(error instanceof postgres.PostgresError)) throw error
    if (error.code === '42501') {
      throw new SetupError(
        `DATABASE_URL: its role may not create tables in that database (${error.message}); allow it (grant create on schema public to the role), or use the role that owns the database`,
      )
    }
    if (error.code === '25006') {
      throw new SetupError(
        'DATABASE_URL: that database refuses writes: it is a standby, or default_transaction_read_only is on; point it to the primary, or name all hosts of the cluster (postgres://a,b/db)',
      )
    }
    throw new SetupError(
      `The database could not be brought up to date: ${error.message}; the migration that failed changed nothing`,
    )
  }
}

/** The migrations that the database lacks. Refuses a database with migrations that this version does not know. */
export async function pendingMigrations(db: Db, folder = join(root, 'migrations')): Promise<Migration[]> {
  const known = readMigrations(folder)
  const applied = await listApplied(db)
  for (const one of applied) verify(one, known)
  const done = new Set(applied.map(one => one.version))
  return known.filter(one => !done.has(one.version))
}

function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter(name => /^\d{4}_\w+\.sql$/.test(name))
  return names.sort().map(file => {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')
    const checksum = createHash('sha256').update(text).digest('hex')
    return { version: Number(file.slice(0, 4)), name: file.slice(5, -4), checksum, text }
  })
}

function verify(applied: Applied, known: Migration[]): void {
  const same = known.find(one => one.version === applied.version)
  const title = `${applied.version} ${applied.name}`
  if (!same) {
    throw new SetupError(
      `The database is newer than this Deskbell: it has migration ${title}; start the version that created it, or a later one`,
    )
  }
  if (same.checksum !== applied.checksum) {
    throw new SetupError(
      `Migration ${title} differs from the one that was applied to this database; restore its file and put changes into a new migration`,
    )
  }
}

async function listApplied(sql: Sql): Promise<Applied[]> {
  const [found] = await sql`select to_regclass('schema_migrations') is not null as exists`
  if (!found?.exists) return []
  return sql<Applied[]>`select version, name, checksum from schema_migrations order by version`
}

async function createTable(db: Sql): Promise<void> {
  try {
    await db`
      create table if not exists schema_migrations (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
  } catch (error) {
    // "if not exists" still fails when two sessions create the table at the same moment.
    if (!['23505', '42P07', '42710'].includes(codeOf(error))) throw error
  }
}

async function applyAll(own: Db, db: Db, log: Log, migrations: Migration[]): Promise<void> {
  // For a new database, the migrations are not logged one by one.
  const isNew = migrations[0]!.version === 1
  for (const migration of migrations) {
    if (isConcurrent(migration.text)) await buildIndexes(own, db, log, migration.text)
    const words = `Applied migration ${migration.version} ${migration.name}`
    if (await apply(own, migration)) isNew ? log.debug(words) : log.info(words)
  }
  if (isNew) log.info('The database is set up')
}

/** False if another process applied it while this one waited for the lock. */
async function apply(db: Db, { version, name, checksum, text }: Migration): Promise<boolean> {
  return db.begin(async tx => {
    await tx`lock table schema_migrations in exclusive mode`
    const [done] = await tx`select 1 from schema_migrations where version = ${version}`
    if (done) return false
    // Concurrent indexes have already been built, outside a transaction.
    await run(tx, { version, name, checksum, text: isConcurrent(text) ? '' : text })
    return true
  })
}

async function run(sql: Sql, { version, name, checksum, text }: Migration): Promise<void> {
  await sql.unsafe(isTransactional(text))
  await sql`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
}

/** The first migration that this version does not know, or knows with a different text. */
export function findUnknownMigration(
  applied: readonly Applied[],
  folder = join(root, 'migrations'),
): Applied | undefined {
  const known = readMigrations(folder)
  return applied.find(one => known.find(({ version }) => version === one.version)?.checksum !== one.checksum)
}

/** Creates the tables in an empty database, as they were after these migrations. */
export async function createTables(
  sql: Sql,
  applied: readonly Applied[],
  folder = join(root, 'migrations'),
): Promise<void> {
  const known = readMigrations(folder)
  for (const one of applied) verify(one, known)
  const versions = new Set(applied.map(one => one.version))
  await createTable(sql)
  for (const migration of known) if (versions.has(migration.version)) await run(sql, migration)
}
