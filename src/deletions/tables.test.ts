import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { tablesOfProjects } from '../../test/conventions/statements.ts'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import type { Db } from '../core/db/db.ts'
import { createProject } from '../projects/projects.ts'
import { createDeletion, type DeletionStep } from './delete-project.ts'
import { listProjectTables } from './tables.ts'

/** Every table of projects is emptied, including tables that are added later. */

let database: TestDatabase
let db: Db
before(async () => {
  database = await createDatabase({ max: 1 })
  db = database.db
})
after(() => database.drop())

/** A value for each type, random where a unique index could require it. */
const values: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  bytea: `decode(md5(random()::text), 'hex')`,
  text: 'md5(random()::text)',
  'text[]': `'{}'`,
  'uuid[]': `'{}'`,
  json: `'{}'`,
  jsonb: `'{}'`,
  boolean: 'false',
  integer: '(random() * 1e9)::int',
  bigint: '(random() * 1e9)::bigint',
  'bigint[]': `'{}'`,
  'timestamp with time zone': 'now()',
  tsvector: `''`,
}

/** Inserts a row with only the required columns. Its references lead nowhere, and constraints are not checked. */
async function fill(name: string, projectId: string): Promise<void> {
  const columns = await db<{ name: string; type: string }[]>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> 'project_id' and attnotnull and not atthasdef`
  const names = columns.map(column => `, "${column.name}"`).join('')
  const made = columns.map(({ type }) => `, ${values[type] ?? `null::${type}`}`).join('')
  await db.unsafe(`insert into "${name}" (project_id${names}) values ('${projectId}'${made})`)
}

async function countRows(projectId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of tablesOfProjects) {
    const [row] = await db`select count(*)::int as count from ${db(name)} where project_id = ${projectId}`
    counts[name] = row!.count
  }
  return counts
}

async function deleteWhole(projectId: string): Promise<DeletionStep[]> {
  const steps: DeletionStep[] = []
  const step = createDeletion(db, projectId)
  do steps.push(await step())
  while (steps.at(-1)!.is !== 'gone' && steps.length < 200)
  return steps
}

test('every table of projects is listed, after the tables that reference it', async () => {
  const names = (await listProjectTables(db)).map(({ name }) => name)
  assert.deepEqual(names.toSorted(), [...tablesOfProjects].sort())
  for (const [earlier, later] of [
    ['message_reactions', 'messages'],
    ['media', 'messages'],
    ['messages', 'tickets'],
    ['tickets', 'contacts'],
    ['receipts', 'balance_entries'],
    ['media', 'buckets'],
  ])
    assert.ok(names.indexOf(earlier!) < names.indexOf(later!), `${earlier} before ${later}`)
})

test('deleting a project empties its rows in every table, and leaves those of another project', async () => {
  const [gone, stays] = [
    await createProject(db, { name: 'Gone' }),
    await createProject(db, { name: 'Stays' }),
  ]
  const checks = await db<{ table: string; name: string }[]>`
    select conrelid::regclass::text as table, conname as name from pg_constraint
    where contype = 'c' and conrelid <> 0 and connamespace = 'public'::regnamespace`
  for (const { table, name } of checks) await db`alter table ${db(table)} drop constraint ${db(name)}`
  // Turns off foreign keys and triggers.
  await db`set session_replication_role = replica`
  for (const name of tablesOfProjects.difference(new Set(['project_counters'])))
    for (const { id } of [gone, stays]) await fill(name, id)
  await db`set session_replication_role = origin`
  const before = await countRows(stays.id)
  assert.deepEqual([...new Set(Object.values(before))], [1])
  await db`update projects set deleting_since = now() - interval '1 minute' where id = ${gone.id}`
  const steps = await deleteWhole(gone.id)
  assert.deepEqual(steps.at(-1), { is: 'gone' })
  assert.deepEqual([...new Set(Object.values(await countRows(gone.id)))], [0])
  assert.deepEqual(await countRows(stays.id), before)
  assert.equal((await db`select from projects where id = ${gone.id}`).length, 0)
})
