import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { makeMessage, makeTicket } from '../../../test/cast.ts'
import { addressOf } from '../../../test/database.ts'
import { openDesk } from '../../../test/desk.ts'
import { assertSameExport, type IgnoredField } from '../../../test/history/compare.ts'
import { makeHistory } from '../../../test/history/history.ts'
import { run } from '../../../test/run/program.ts'
import { startServer, type TestServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { root } from '../../core/config/config.ts'
import { writeArchive } from '../../exports/archive.ts'
import { createStorages } from '../../media/media.ts'
import { createProject } from '../../projects/projects.ts'
import { runImport } from '../run-import.ts'
import { importArchive } from './archive.ts'

/** Takes a few seconds; `TICKETS=10000 npm test -- src/importers/archive/archive.test.ts` compares more. */
const tickets = Number(process.env.TICKETS ?? 300)

let origin: TestServer
let copy: TestServer
before(async () => {
  origin = await startServer({ delivers: false })
  copy = await startServer({ delivers: false })
  await makeHistory(origin, await openDesk(origin), tickets)
  await copyOperators()
})
after(async () => {
  await origin.close()
  await copy.close()
})

/** Adds the operators of the original project to the copy. */
async function copyOperators(): Promise<void> {
  const rows = await origin.db<{ name: string; email: string }[]>`
    select name, upper(email) as email from operators where project_id = ${origin.acme.id}`
  for (const { name, email } of rows)
    await copy.db`
      insert into operators (project_id, id, name, email) values (${copy.acme.id}, uuid_v7(), ${name}, ${email})`
}

async function exportAcme(server: TestServer, hasFiles = true): Promise<string> {
  const path = join(server.config.dataDir, `${randomBytes(4).toString('hex')}.zip`)
  const { db, acme } = server
  const storages = createStorages(server)
  const request = { db, storages, projectId: acme.id, hasFiles, progress: async () => {} }
  await pipeline(await writeArchive(request), createWriteStream(path))
  return path
}

async function importInto(server: TestServer, path: string, projectId = server.acme.id) {
  const skipped: unknown[] = []
  const context = {
    db: server.db,
    storages: createStorages(server),
    log: server.log,
    projectId,
    source: 'deskbell',
    dryRun: false,
    signal: new AbortController().signal,
    tell: () => {},
  }
  const summary = await runImport(context, importArchive(path), one => skipped.push(one))
  return { summary, skipped }
}

const of = (reason: string, table: string, ...fields: string[]): IgnoredField[] =>
  fields.map(field => ({ table, field, reason }))

/** The fields in which a copy may differ. */
const ignored: IgnoredField[] = [
  ...['contacts', 'tickets', 'messages', 'canned_answers', 'categories', 'articles', 'organizations'].flatMap(
    table => of('counts the changes in this project', table, 'version'),
  ),
]

test('importing an export into another project creates the same records', async () => {
  const path = await exportAcme(origin)
  const { skipped } = await importInto(copy, path)
  assert.deepEqual(skipped, [])
  const records = await copy.db<{ source_id: string; record_id: string }[]>`
    select source_id, record_id from imported_records where project_id = ${copy.acme.id}`
  const ids = new Map(records.map(({ source_id, record_id }) => [record_id, source_id]))
  ids.set(copy.acme.id, origin.acme.id)
  await assertSameExport(path, await exportAcme(copy), ids, ignored)
})

/** How many imported records a project has, by kind. */
async function countRecords({ id }: { id: string }): Promise<Record<string, number>> {
  const rows = await copy.db<{ kind: string; count: number }[]>`
    select kind, count(*)::int as count from imported_records where project_id = ${id} group by kind order by kind`
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

test('a second run adds nothing', async () => {
  const before = await countRecords(copy.acme)
  const { summary, skipped } = await importInto(copy, await exportAcme(origin))
  assert.deepEqual([skipped, summary.tickets.created, summary.messages.created], [[], 0, 0])
  assert.partialDeepStrictEqual(summary.organizations, { created: 0, existing: 2 })
  assert.deepEqual(await countRecords(copy.acme), before)
  const { count } = await copy.db`select from articles where project_id = ${copy.acme.id}`
  assert.equal(count, 2)
})

test('missing operators remain authors by name, and everything that is left out is listed', async () => {
  const { summary } = await importInto(copy, await exportAcme(origin, false), copy.rival.id)
  const listed = summary.unmapped.map(({ field, value, reason }) => [field, value, reason].join(' '))
  for (const line of [
    'webhooks http://example.com not_imported',
    'file a.png not_exported',
    'operator operator1@desk.example unknown_operator',
  ])
    assert.ok(listed.includes(line), line)
  const messages = await copy.db`
    select sender_id, sender_name from messages where project_id = ${copy.rival.id} and content = 'An answer'`
  assert.deepEqual([...messages], [{ sender_id: null, sender_name: 'operator' }])
})

test('a message that was waiting to be sent is imported as failed, and a scheduled one is skipped', async () => {
  const ticket = await makeTicket(origin.api)
  const waiting = await makeMessage(origin.api, ticket.id, { content: 'Waiting' })
  await origin.db`update messages set delivery_status = 'pending' where id = ${waiting.id}`
  const later = await makeMessage(origin.api, ticket.id, {
    content: 'Later',
    send_at: '2099-01-01T00:00:00Z',
  })
  const { skipped } = await importInto(copy, await exportAcme(origin))
  assert.deepEqual(skipped, [{ record: 'source', source_id: later.id, reason: 'scheduled' }])
  const sent = await copy.db`
    select content, delivery_status from messages where project_id = ${copy.acme.id} and content in ('Waiting', 'Later')`
  assert.deepEqual([...sent], [{ content: 'Waiting', delivery_status: 'failed' }])
})

/** Makes every import wait before it adds messages to those of an earlier batch, while `act` runs. */
async function holdSecondBatch(act: () => Promise<void>): Promise<void> {
  await copy.db.unsafe(`
    create function hold() returns trigger language plpgsql as $$ begin
      if exists (select from imported_records where project_id = new.project_id and kind = 'message'
        and pg_xact_status(xmin::text::xid8) = 'committed') then perform pg_advisory_xact_lock(1); end if;
      return new;
    end $$;
    create trigger hold before insert on imported_records for each row when (new.kind = 'message')
      execute function hold()`)
  await copy.db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(1)`
    await act()
  })
  await copy.db.unsafe('drop function hold cascade')
}

test('a dry run writes nothing, and a killed import continues when it is run again', async () => {
  const third = await createProject(copy.db, { name: 'Third' })
  const path = await exportAcme(origin)
  const settings = { DATABASE_URL: addressOf(copy.target), DATA_DIR: copy.config.dataDir }
  const command = [join(root, 'src/cli/main.ts'), 'import', 'archive', path, '--project', third.id, '--json']
  const start = (...options: string[]) => run(process.execPath, [...command, ...options], settings)
  const dry = await start('--dry-run').ended
  assert.equal(dry.status, 0, dry.stderr)
  const complete = await countRecords(copy.acme)
  const told = JSON.parse(dry.stdout)
  assert.deepEqual(
    [told.organizations.created, told.tickets.created, told.messages.created],
    [complete.organization, complete.ticket, complete.message],
  )
  assert.deepEqual(
    new Set(told.unmapped.map((one: { reason: string }) => one.reason)),
    new Set(['not_imported', 'unknown_operator']),
  )
  assert.deepEqual(await countRecords(third), {})
  await holdSecondBatch(async () => {
    const killed = start()
    await until(async () => (await countRecords(third)).message)
    killed.child.kill('SIGKILL')
    await killed.ended
    assert.ok((await countRecords(third)).message! < complete.message!)
  })
  const last = await start().ended
  assert.equal(last.status, 0, last.stderr)
  assert.deepEqual(await countRecords(third), complete)
})
