import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import manifest from '../package.json' with { type: 'json' }
import { needs } from '../test/needs.ts'
import { startPgbouncer } from '../test/pgbouncer.ts'
import { startServer } from '../test/server.ts'
import { until } from '../test/until.ts'
import { upload } from '../test/upload.ts'
import { connect, type Db } from './core/db/db.ts'
import type { Log } from './core/telemetry/log.ts'
import { printMetrics } from './core/telemetry/metrics.ts'
import { openHttpEntry } from './http-entry.ts'
import { watchReadiness } from './readiness.ts'

const server = await startServer({ delivers: false })
const { db, api, log, config, app, target } = server
after(() => server.close())

interface Line {
  words: string
  held_by?: { pid: number }
}

/** Returns what a process with this pool answers to GET /readyz, and what it logs. */
async function watch(context: TestContext, pool: Db = db) {
  const lines: Line[] = []
  const keep = (fields: object, words: string) => void lines.push({ ...fields, words })
  const own: Log = Object.assign(Object.create(log), { warn: keep, error: keep })
  const readiness = watchReadiness({ config, db: pool, log: own })
  const front = await openHttpEntry({ ...config, host: '127.0.0.1', port: 0 })
  front.serve(app, readiness.findReason)
  context.after(async () => {
    await front.close(() => {})
    await readiness.stop()
  })
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${front.port}/readyz`)
    const { reason } = (await answer.json()) as { reason?: string }
    return `${answer.status} ${reason ?? 'ready'}`
  }
  return { ask, lines, untilSays: (wanted: string) => until(async () => (await ask()) === wanted) }
}

test('both health checks show the version, also before and after the process can serve', async context => {
  const front = await openHttpEntry({ ...config, host: '127.0.0.1', port: 0 })
  context.after(() => front.close(() => {}))
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${front.port}${path}`)).json()
  const { version } = manifest
  assert.deepEqual(await read('/healthz'), { status: 'ok', version })
  assert.deepEqual(await read('/readyz'), { status: 'starting', version })
  front.serve(app, async () => null)
  assert.deepEqual(await read('/readyz'), { status: 'ready', version })
})

/** Replaces the function with which a check writes to the log of Postgres. The replacement is removed after the test. */
async function markBy(context: TestContext, body: string): Promise<void> {
  await db.unsafe(`create schema broken; create sequence broken.looks;
    create function broken.pg_logical_emit_message(boolean, text, text) returns pg_lsn language plpgsql as
      $$ begin perform nextval('broken.looks'); ${body} end $$;
    grant usage on schema broken to public; grant all on sequence broken.looks to public;
    alter database ${target.database} set search_path = broken, pg_catalog, public`)
  context.after(() =>
    db.unsafe(`alter database ${target.database} reset search_path; drop schema broken cascade`),
  )
}

const countOf = async (reason: string): Promise<string | undefined> =>
  new RegExp(`deskbell_not_ready\\{reason="${reason}"\\} (\\d)`).exec(await printMetrics())?.[1]

test('is ready while writes succeed', async context => {
  const { untilSays } = await watch(context)
  await untilSays('200 ready')
  assert.equal(await countOf('storage_full'), '0')
})

test('reports storage_full, also in the log and in the metrics, when the disk of the database is full', async context => {
  await markBy(context, "raise exception 'No space left on device' using errcode = '53100';")
  const { lines, untilSays } = await watch(context)
  await untilSays('503 storage_full')
  assert.equal(await countOf('storage_full'), '1')
  const told = lines.filter(({ words }) => words.startsWith('The disk of the database is full'))
  assert.equal(told.length, 1)
})

test('writes at most once a second, however often it is called', async context => {
  await markBy(context, 'return null;')
  const { ask } = await watch(context)
  const begun = performance.now()
  for (let asked = 0; asked < 50; asked++) await ask()
  const seconds = (performance.now() - begun) / 1_000
  const [{ looks }] = await db<[{ looks: number }]>`select last_value::int as looks from broken.looks`
  assert.ok(looks >= 1 && looks <= 1 + seconds, `${looks} looks in ${seconds} s`)
})

test('is ready for a role with few rights that may not write temporary files', async context => {
  const name = `${target.database}_small`
  await db.unsafe(`create role ${name} login; alter role ${name} set temp_file_limit = '100kB'`)
  const small = connect({ ...target, user: name }, { max: 2 })
  context.after(async () => {
    await small.end()
    await db.unsafe(`drop role ${name}`)
  })
  const { untilSays } = await watch(context, small)
  await untilSays('200 ready')
})

test('is ready behind PgBouncer in transaction mode', needs('pgbouncer'), async context => {
  const pooled = connect({ url: await startPgbouncer(context, target) }, { max: 2 })
  context.after(() => pooled.end())
  const { untilSays } = await watch(context, pooled)
  await untilSays('200 ready')
})

test('reports database_read_only when the database refuses writes', async context => {
  const reader = connect(target, { max: 2 })
  Object.assign(reader.options.connection, { default_transaction_read_only: 'on' })
  context.after(() => reader.end())
  const { untilSays } = await watch(context, reader)
  await untilSays('503 database_read_only')
})

test('reports writes_blocked when a table is locked, and logs which session holds the lock', async context => {
  const { lines, untilSays } = await watch(context)
  const other = connect(target, { max: 1 })
  await other`set idle_in_transaction_session_timeout = 0`
  const locked = Promise.withResolvers<number>()
  const release = Promise.withResolvers<void>()
  const holding = other.begin(async sql => {
    await sql`lock table tickets in access exclusive mode`
    const [row] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
    locked.resolve(row.pid)
    await release.promise
  })
  const pid = await locked.promise
  const writing = api.post('/tickets', { contact: { email: 'ann@example.com' }, content: 'Hello' })
  await untilSays('503 writes_blocked')
  release.resolve()
  await holding
  await other.end()
  await writing
  const told = lines.find(({ held_by }) => held_by)
  assert.equal(told?.held_by?.pid, pid)
  assert.match(told!.words, new RegExp(`the table tickets.*pg_terminate_backend\\(${pid}\\)`))
})

/** From now on, writes to this table fail as on a full disk. */
async function fill(context: TestContext, table: string): Promise<void> {
  await db.unsafe(`create function refuse_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger full_disk before insert on ${table} for each row execute function refuse_${table}()`)
  context.after(() => db.unsafe(`drop function refuse_${table} cascade`))
}

test('answers a write on a full disk with 500, the reason and what to do', async context => {
  await fill(context, 'contacts')
  const { status, body } = await api.post('/contacts', { email: 'bob@example.com' })
  assert.equal(status, 500)
  assert.equal(body.error_code, 'INTERNAL_ERROR')
  assert.deepEqual(body.detail, { reason: 'storage_full' })
  assert.match(body.error_message, /disk of this server is full.*free disk space/)
  assert.ok(body.request_id)
})

test('answers an upload on a full disk with 502 and the reason', async context => {
  await fill(context, 'stray_objects')
  const { status, body } = await upload(api, { content: 'some bytes' })
  assert.equal(status, 502)
  assert.equal(body.error_code, 'MEDIA_UPLOAD_FAILED')
  assert.deepEqual(body.detail, { reason: 'storage_full' })
})
