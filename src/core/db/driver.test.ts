import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { applyPatch, parsePatch } from 'diff'
import { createDatabase } from '../../../test/database.ts'
import { openSilentProxy } from '../../../test/silent-proxy.ts'
import { until } from '../../../test/until.ts'
import { root } from '../config/config.ts'
import { connect, connectApart, unprepared } from './db.ts'

const upstream = 'node_modules/postgres/src'
const vendored = 'vendor/postgres/src'
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

test('the driver in vendor/postgres is the published one with the changes of deskbell.patch, and nothing else', () => {
  const changes = new Map(
    parsePatch(read('vendor/postgres/deskbell.patch')).map(change => [change.newFileName, change]),
  )
  assert.ok(changes.size > 0)
  for (const name of readdirSync(join(root, upstream))) {
    const original = read(upstream, name)
    const change = changes.get(`vendor/${name}`)
    assert.equal(
      change ? applyPatch(original, change) : original,
      read(vendored, name),
      `${name}: replace its part of deskbell.patch with the output of: diff -u --label upstream/${name} --label vendor/${name} ${upstream}/${name} ${vendored}/${name}`,
    )
  }
})

test('a lost connection fails its transactions, but neither the process nor the pool', async t => {
  const { db, target, drop } = await createDatabase()
  const admin = connect(target, { max: 1 })
  t.after(async () => {
    await admin.end()
    await drop()
  })
  await db`create table lost (n int)`
  let isOver = false
  const storm = (async () => {
    while (!isOver) {
      await admin`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    }
  })()
  const count = () => db<{ count: number }[]>`select count(*) from lost`
  const change = () =>
    db.begin(async sql => {
      for (let n = 0; n < 5; n++) await sql`insert into lost values (${n})`
    })
  const outcomes: PromiseSettledResult<void>[] = []
  // On a fast machine, the first 300 can finish before a connection is lost.
  while (outcomes.every(({ status }) => status === 'fulfilled'))
    outcomes.push(...(await Promise.allSettled(Array.from({ length: 300 }, change))))
  isOver = true
  await storm
  const committed = outcomes.filter(({ status }) => status === 'fulfilled').length
  const counted = await until(() => Promise.all(Array.from({ length: 20 }, count)).catch(() => null))
  for (const [row] of counted) assert.ok(Number(row!.count) % 5 === 0 && Number(row!.count) >= committed * 5)
})

test('statements of a transaction whose connection was lost do not run on the next connection', async t => {
  const { db: admin, target, drop } = await createDatabase()
  const db = connect(target, { max: 1 })
  t.after(async () => {
    await db.end()
    await drop()
  })
  await admin`create table lost (word text)`
  const { promise: isBack, resolve: goOn } = Promise.withResolvers<void>()
  const words: Promise<unknown>[] = []
  const change = db.begin(async sql => {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    await admin`select pg_terminate_backend(${row!.pid})`
    await isBack
    words.push(sql`insert into lost values ('alone')`.execute())
    await words[0]
  })
  await assert.rejects(change, { code: 'CONNECTION_CLOSED' })
  await db.begin(async sql => {
    await sql`insert into lost values ('one')`
    goOn()
    await until(() => words.length)
    await assert.rejects(words[0]!, { code: 'CONNECTION_CLOSED' })
    await sql`insert into lost values ('two')`
  })
  assert.deepEqual(
    [...(await admin`select word from lost order by word`)],
    [{ word: 'one' }, { word: 'two' }],
  )
})

test('connections that die silently are closed, and new ones can be opened in their place', async t => {
  const { target, drop } = await createDatabase()
  const proxy = await openSilentProxy(`${target.host}/.s.PGSQL.${target.port}`)
  const places = 3
  const db = connect(
    { ...target, host: '127.0.0.1', port: proxy.port },
    { max: places, statementTimeout: 3_000 },
  )
  t.after(async () => {
    await db.end({ timeout: 0 })
    proxy.close()
    await drop()
  })
  const ask = () => Promise.allSettled(Array.from({ length: places }, () => db`select pg_sleep(0.1)`))
  const statusesOf = (outcomes: PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status)
  assert.deepEqual(statusesOf(await ask()), Array(places).fill('fulfilled'))
  proxy.swallow()
  const lost = await ask()
  assert.deepEqual(
    lost.map(one => one.status === 'rejected' && one.reason.code),
    Array(places).fill('CONNECTION_SILENT'),
  )
  await until(async () => statusesOf(await ask()).every(status => status === 'fulfilled'))
})

test('after a burst, consecutive statements use one connection, and the others close', async t => {
  const { target, drop } = await createDatabase()
  const db = connect(target, { max: 5 })
  const idle = connect(target, { max: 5, idleTimeout: 1 })
  t.after(async () => {
    await Promise.all([db.end(), idle.end()])
    await drop()
  })
  const pid = async (sql: typeof db) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid
  const burst = (sql: typeof db) =>
    Promise.all([1, 2, 3, 4, 5].map(() => sql`select pg_sleep(0.2), pg_backend_pid() as pid`))
  await burst(db)
  const used = new Set<number>()
  for (let turn = 0; turn < 10; turn++) used.add(await pid(db))
  assert.equal(used.size, 1)
  const pids = (await burst(idle)).map(([row]) => row!.pid)
  assert.equal(new Set(pids).size, 5)
  const listOpen = () => db`select from pg_stat_activity where pid = any(${pids as never}::int[])`
  await until(async () => {
    await pid(idle)
    return (await listOpen()).length === 1
  })
})

test('an unprepared statement is sent with its values in one round trip, with the same result as a prepared one', async t => {
  const { target, drop } = await createDatabase()
  const proxy = await openSilentProxy(`${target.host}/.s.PGSQL.${target.port}`)
  const db = connect({ ...target, host: '127.0.0.1', port: proxy.port }, { max: 1 })
  t.after(async () => {
    await db.end()
    proxy.close()
    await drop()
  })
  const ask = (word: string | null, isOpen: boolean, limit: number, share: number) => db`
    select ${word}::text as word, ${isOpen} as is_open, ${share}::float8 as share, n
    from generate_series(1, 9) n where n > ${limit}::bigint - 2 limit ${limit}`
  const timesSent = async (act: () => Promise<unknown>) => {
    const before = proxy.countSent()
    await act()
    return proxy.countSent() - before
  }
  await db`select 1`
  const cases: Parameters<typeof ask>[] = [
    ['it\'s "Ω"', true, 3, 0.5],
    [null, false, 2, -1e-7],
  ]
  for (const values of cases) {
    let rows: unknown
    assert.equal(await timesSent(async () => (rows = [...(await unprepared(ask(...values)))])), 1)
    assert.deepEqual(rows, [...(await ask(...values))])
  }
  const listed = unprepared(
    db`select n from generate_series(1, 3) n where n = any(${[2, 3] as never}::int[])`,
  )
  assert.deepEqual([...(await listed)], [{ n: 2 }, { n: 3 }])
  await assert.rejects(unprepared(db`select 1 / ${0}::int`), /division by zero/)
  assert.deepEqual([...(await unprepared(db`select ${'after'} as word`))], [{ word: 'after' }])
})

/** Creates a database and a small pool on it, so that statements have to wait for a connection. */
async function openFew(t: TestContext) {
  const { db, drop } = await createDatabase()
  const few = connectApart(db, { max: 2 })
  t.after(async () => {
    await few.end()
    await drop()
  })
  return { db, few }
}

test('a slow statement delays at most two of the statements that wait for a connection', async t => {
  const { db, few } = await openFew(t)
  const run = (seconds: number) => few`select pg_sleep(${seconds}::float8)`
  await Promise.all([run(0.1), run(0.1)])
  let done = 0
  const statements: Promise<unknown>[] = []
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(1)`
    // The slow statement ends when this transaction does.
    statements.push(few`select pg_advisory_xact_lock(1)`.execute())
    for (let n = 0; n < 50; n++)
      statements.push(
        run(0.001).then(() => {
          done++
        }),
      )
    await until(() => done >= 48)
  })
  await Promise.all(statements)
})

test('hundreds of transactions and statements on few connections do not mix', async t => {
  const { db, few } = await openFew(t)
  await db`create table kept (n int)`
  const change = (n: number) =>
    few.begin(async sql => {
      await Promise.all([sql`insert into kept values (${n})`, sql`insert into kept values (${n})`])
      if (n % 3 === 0) throw new Error('taken back')
    })
  const ask = (n: number) => few`select ${n}::int as n`.execute()
  const outcomes: PromiseSettledResult<unknown>[] = []
  for (let before = 190; before < 210; before++) {
    const asked = Array.from({ length: before }, (_, n) => ask(n))
    outcomes.push(
      ...(await Promise.allSettled([...asked, ...Array.from({ length: 9 }, (_, n) => change(n))])),
    )
  }
  const failed = outcomes.flatMap(one => (one.status === 'rejected' ? [String(one.reason.message)] : []))
  assert.deepEqual([...new Set(failed)], ['taken back'])
  const kept = await db<
    { n: number; times: number }[]
  >`select n, count(*)::int as times from kept group by n order by n`
  assert.deepEqual(
    [...kept],
    [1, 2, 4, 5, 7, 8].map(n => ({ n, times: 2 * 20 })),
  )
})

test('the end of a COPY frees its connection even if the reader was slower', async t => {
  const { db, drop } = await createDatabase({ max: 1 })
  t.after(drop)
  await db`create table large as select repeat('x', 60000) as text from generate_series(1, 100)`
  for (let times = 0; times < 40; times++) {
    let bytes = 0
    const rows = await db.unsafe('copy large to stdout').readable()
    for await (const chunk of rows) bytes += chunk.length
    assert.equal(bytes, 100 * 60_001)
    await db`select 1`
  }
})

test('closes a connection on which the server refuses writes, so that the next one reaches the primary', async t => {
  const { target, drop } = await createDatabase()
  const db = connect(target, { max: 1 })
  t.after(async () => {
    await db.end()
    await drop()
  })
  const [first] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
  await db`set default_transaction_read_only = on`
  await assert.rejects(db`create table refused (n int)`, { code: '25006' })
  const [next] = await db<{ pid: number }[]>`select pg_backend_pid() as pid`
  assert.notEqual(next!.pid, first!.pid)
  await db`create table taken (n int)`
})
