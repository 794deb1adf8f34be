import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, type Db } from '../../src/core/db/db.ts'
import { openDatabase } from '../../src/core/db/postgres.ts'
import { createLog } from '../../src/core/telemetry/log.ts'
import { dumpSchema } from '../../src/docs/schema-dump.ts'
import { createClient } from '../client.ts'
import { until } from '../until.ts'
import { makeInstallation, upload } from './filled-installation.ts'
import { deskbell, makeFolder, spawnDeskbell, startServer, stopServer } from './program.ts'

/** Reads the database of a data folder, without a server that keeps writing. */
async function look<T>(dataDir: string, work: (db: Db) => Promise<T>): Promise<T> {
  const config = { dataDir, databaseUrl: null }
  const database = await openDatabase(config as never, createLog('silent'), 'beside')
  const db = connect(database.target, { max: 1 })
  try {
    return await work(db)
  } finally {
    await db.end()
    await database.close()
  }
}

/** Without the search columns, which a restore rebuilds. */
async function digestTables(db: Db): Promise<Record<string, string>> {
  const tables = await db<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p' order by relname`
  const digests: Record<string, string> = {}
  for (const { name } of tables) {
    const [row] = await db.unsafe<{ digest: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(r, e'\\n' order by r)), '') as digest
        from (select (to_jsonb(t) - '{search,search_version}'::text[])::text as r from "${name}" t) t`,
    )
    digests[name] = row!.digest
  }
  return digests
}

const describeData = (dataDir: string) =>
  look(dataDir, async db => ({ tables: await digestTables(db), schema: await dumpSchema(db) }))

const filesIn = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => entry.name)
    .sort()

test('restores every row, every file and the key from a backup of a stopped server', async t => {
  const { DATA_DIR, server, key, mediaId } = await makeInstallation(t)
  await stopServer(server)
  const file = join(makeFolder(t), 'desk.backup')
  const bait = join(makeFolder(t), 'bait')
  writeFileSync(bait, '', { mode: 0o644 })
  symlinkSync(bait, `${file}.partial`)
  const made = await deskbell({ DATA_DIR }, 'backup', file)
  assert.equal(made.status, 0, made.stderr)
  assert.equal(statSync(bait).size, 0)
  assert.match(made.stdout, /rows of \d+ tables, 1 file, .* with the secret key/)
  assert.match(made.stderr, /messages: \d+ rows/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal((await deskbell({ DATA_DIR }, 'backup', file)).status, 2)

  const restored = { DATA_DIR: join(makeFolder(t), 'new') }
  const outcome = await deskbell(restored, 'restore', file)
  assert.equal(outcome.status, 0, outcome.stderr)
  const [before, after] = [await describeData(DATA_DIR), await describeData(restored.DATA_DIR)]
  assert.ok(Object.keys(before.tables).length > 50)
  assert.deepEqual(after.tables, before.tables)
  assert.equal(after.schema, before.schema)
  assert.deepEqual(filesIn(restored.DATA_DIR), filesIn(DATA_DIR))
  const keyFile = (folder: string) => readFileSync(join(folder, 'secret.key'), 'utf8')
  assert.equal(keyFile(restored.DATA_DIR), keyFile(DATA_DIR))
  const ofThisServer = ['first-access.txt', 'last-backup', 'processes']
  const kept = readdirSync(DATA_DIR).filter(name => !ofThisServer.includes(name))
  assert.deepEqual(kept, readdirSync(restored.DATA_DIR))

  const again = await deskbell(restored, 'restore', file)
  assert.equal(again.status, 2)
  assert.match(again.stderr, /is not empty/)
  const restarted = await startServer(t, restored)
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${restarted.url}/api/v1/media/${mediaId}`, { headers })
  assert.equal(await answer.text(), 'what the customer sent')
  const api = createClient(`${restarted.url}/api/v1`, key)
  const isFound = async () => (await api.get('/tickets?q=backsl')).body.total === 1
  await until(isFound)
})

test('a backup taken during writes is a consistent snapshot of all tables', async t => {
  const { DATA_DIR, server, key, api } = await makeInstallation(t)
  let [isOver, written] = [false, 0]
  const write = async (writer: number) => {
    for (let n = 0; !isOver; n++) {
      const contact = { email: `writer${writer}-${n}@example.com` }
      const { body } = await api.post('/tickets', { contact, content: 'Where is it?' })
      const { id } = await upload(server, key, `file ${writer} ${n}`)
      await api.post(`/tickets/${body.id}/messages`, { content: 'Here.', media_ids: [id] })
      if (n % 3 === 0) await api.post(`/tickets/${body.id}/close`, {})
      written++
    }
  }
  const writing = Promise.all([1, 2, 3, 4].map(write))
  await until(() => written > 0)
  const file = join(makeFolder(t), 'desk.backup')
  const made = await spawnDeskbell({ DATA_DIR }, 'backup', file)
  assert.equal(made.status, 0, made.stderr)
  const restored = join(makeFolder(t), 'new')
  const outcome = await spawnDeskbell({ DATA_DIR: restored }, 'restore', file)
  isOver = true
  await writing
  assert.equal(outcome.status, 0, outcome.stderr)
  await look(restored, async db => {
    const [found] = await db`
      select (select count(*) from events) as events, (select max(seq) from events) as last,
        (select array_agg(id order by id) from tickets) as tickets,
        (select array_agg((data->>'ticket_id')::uuid order by (data->>'ticket_id')::uuid) from events
          where type = 'ticket.created') as reported,
        (select count(*) from tickets where status = 'closed') as closed,
        (select count(*) from events where type = 'ticket.closed') as reported_closed,
        (select count(*) from webhook_queue) + (select count(*) from webhook_deliveries) as deliveries,
        (select count(*) from media where bucket_id is null) as media`
    assert.ok(found!.tickets.length > 1)
    assert.equal(found!.events, found!.last)
    assert.deepEqual(found!.tickets, found!.reported)
    assert.equal(found!.closed, found!.reported_closed)
    assert.equal(found!.deliveries, found!.tickets.length)
    assert.equal(filesIn(restored).length, found!.media)
  })
})
