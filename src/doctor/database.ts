import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from '../core/config/config.ts'
import { SetupError } from '../core/config/setup-error.ts'
import type { Db } from '../core/db/db.ts'
import { listSome } from './check.ts'
import {
  countHiddenSessions,
  findOldestSnapshot,
  getSizes,
  isReadOnly,
  isReplica,
  listSchemaParts,
  listSnapshotHolders,
  listUnsafe,
  type SchemaPart,
  type SnapshotHolder,
} from './queries.ts'

/** Checks of the database itself. */

const patterns: [SchemaPart['kind'], RegExp][] = [
  ['table', /^create table (\w+)/gm],
  ['index', /^CREATE (?:UNIQUE )?INDEX (\w+)/gm],
  ['constraint', /^ {2}constraint (\w+)/gm],
  ['trigger', /^CREATE (?:CONSTRAINT )?TRIGGER (\w+)/gm],
]

/** The schema that the migrations create, from schema.sql, including constraints that apply to new rows only. */
function readExpected() {
  const text = readFileSync(join(root, 'migrations/schema.sql'), 'utf8')
  const parts = patterns.flatMap(([kind, pattern]) =>
    [...text.matchAll(pattern)].map(([, name]) => ({ kind, name: name! })),
  )
  const forNewRows = [...text.matchAll(/^ {2}constraint (\w+) .* NOT VALID,?$/gm)].map(([, name]) => name!)
  return { parts, forNewRows: new Set(forNewRows) }
}

const nameOf = ({ kind, name }: { kind: string; name: string }): string => `${kind} ${name}`

export async function describeSchema(db: Db): Promise<string> {
  const parts = await listSchemaParts(db)
  const { parts: expected, forNewRows } = readExpected()
  const found = new Set(parts.map(nameOf))
  const missing = expected.filter(one => !found.has(nameOf(one))).map(nameOf)
  const off = parts.filter(({ is_off, name }) => is_off && !forNewRows.has(name)).map(nameOf)
  if (missing.length)
    throw new SetupError(
      `the database lacks ${listSome(missing)}; create it again as in migrations/schema.sql, or restore a backup`,
    )
  if (off.length)
    throw new SetupError(
      `${listSome(off)}: not active; rebuild the index (reindex index NAME), enable the trigger (alter table TABLE enable trigger NAME), or validate the constraint`,
    )
  if (await isReplica(db))
    throw new SetupError(
      'session_replication_role is not "origin", so no trigger runs; reset it for this role and database (alter role … reset session_replication_role)',
    )
  return `${expected.length} tables, indexes, constraints and triggers exist and are active`
}

function describeHolder({ pid, name, state, seconds, query }: SnapshotHolder): string {
  if (seconds === null) return `process ${pid} (${name}, of another role: start time hidden)`
  return `process ${pid} (${name}, ${state} for ${Math.round(seconds)} s: ${query})`
}

function complain(holder: SnapshotHolder): string {
  const { waiting, locked } = holder
  const what = [
    locked && `keeps the table ${locked} locked`,
    waiting && `blocks ${waiting} ${waiting === 1 ? 'other' : 'others'}`,
  ]
  return `${describeHolder(holder)} ${what.filter(Boolean).join(' and ')}`
}

/** A lock is reported if it is held for at least this many milliseconds. */
const longLock = 3_000

/** If the start of a lock is hidden, it is only reported if the same transaction still holds it some seconds later. */
async function findHolders(db: Db): Promise<SnapshotHolder[]> {
  const isSure = ({ seconds, waiting }: SnapshotHolder) => seconds !== null || waiting > 0
  const holders = await listSnapshotHolders(db)
  if (holders.every(isSure)) return holders
  await sleep(longLock)
  const before = new Set(holders.map(({ transaction }) => transaction))
  return (await listSnapshotHolders(db)).filter(one => isSure(one) || before.has(one.transaction))
}

async function describeHidden(db: Db): Promise<string> {
  const { role, sessions } = await countHiddenSessions(db)
  if (sessions === 0) return ''
  return `; how long transactions of other roles have been open (sessions: ${sessions}) is hidden from the role ${role} (to show it, a superuser runs: grant pg_read_all_stats to ${role})`
}

export async function describeLocks(db: Db): Promise<string> {
  const holders = await findHolders(db)
  if (holders.length)
    throw new SetupError(
      `${holders.map(complain).join('; ')}; writes wait or fail until it ends; if it should not be running, end it (select pg_terminate_backend(${holders[0]!.pid}))`,
    )
  const oldest = await findOldestSnapshot(db)
  if (oldest && oldest.seconds > 3_600)
    throw new SetupError(
      `process ${oldest.pid} (${oldest.state}) has had a transaction open for ${Math.round(oldest.seconds / 60)} min, so deleted rows cannot be cleaned up; if it should not be running, end it (select pg_terminate_backend(${oldest.pid}))`,
    )
  return `no lock is held for long${await describeHidden(db)}`
}

/** Connections that must be free for a restart and for the command line. */
const minSpare = 3

/** Postgres stops accepting writes at 2,000 million transactions, and starts a vacuum at 200 million. */
const maxTransactionAge = 1_000_000_000

const gibibyte = 2 ** 30

export async function describeSize(db: Db): Promise<string> {
  const { bytes, connections, max_connections, ages } = await getSizes(db)
  if (ages > maxTransactionAge)
    throw new SetupError(
      `${Math.round(ages / 1e6)} million transactions have passed since the last complete vacuum, and PostgreSQL stops writing at 2,000 million; end old transactions and run: vacuum (freeze)`,
    )
  if (max_connections - connections < minSpare)
    throw new SetupError(
      `${connections} of ${max_connections} connections of PostgreSQL are in use; lower DATABASE_POOL, or raise max_connections`,
    )
  return `${(bytes / gibibyte).toFixed(2)} GiB, ${connections} of ${max_connections} connections in use`
}

export async function describeWrites(db: Db): Promise<string> {
  if (!(await isReadOnly(db))) return 'the database accepts writes'
  throw new SetupError(
    'the database refuses writes: it is a standby, or default_transaction_read_only is on; point DATABASE_URL to the primary',
  )
}

export async function describeDurability(db: Db): Promise<string> {
  const unsafe = await listUnsafe(db)
  if (unsafe.length === 0) return 'acknowledged writes survive a crash'
  throw new SetupError(
    `PostgreSQL runs with ${unsafe.map(({ name, setting }) => `${name} = ${setting}`).join(', ')}: a crash loses acknowledged writes; switch it on`,
  )
}
