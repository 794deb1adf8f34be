import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { administrate } from '../../test/database.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { addHook, delivery, emit } from '../../test/webhooks.ts'
import { startDelivering } from './deliver.ts'

const pause = 3_000

/** Milliseconds by which an attempt may be seen too early, because of timers and the clocks of two processes. */
const tolerance = 50

let server: TestServer
let delivering: ReturnType<typeof startDelivering>
before(async () => {
  server = await startServer({ delivers: false, config: { webhookRetryDelays: [pause] } })
  await fakeClock()
  delivering = startDelivering(server)
  await looked()
})
after(async () => {
  await delivering.stop()
  await server.close()
})

/** A clock that can be set: statements find this now() before the system's own. */
async function fakeClock(): Promise<void> {
  const { db, target } = server
  await db.unsafe(`
    create schema fake;
    create table fake.clock (leap interval not null);
    insert into fake.clock values ('0');
    create function fake.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + leap from fake.clock';
    create function fake.clock_timestamp() returns timestamptz language sql volatile
      as 'select pg_catalog.clock_timestamp() + leap from fake.clock'`)
  await administrate(target, `alter database ${target.database} set search_path = fake, pg_catalog, public`)
  await administrate(
    target,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${target.database}'`,
  )
}

/** Waits until the clock has been read once and the cleanup, whose first task reads it, has deleted orphaned rows. */
async function looked(): Promise<void> {
  const [row] = await server.db<{ id: string }[]>`
    insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
    values (${server.acme.id}, uuid_v7(), uuid_v7(), uuid_v7(), 'ticket.closed', now(), now()) returning id`
  await until(async () => !(await server.db`select from webhook_queue where id = ${row!.id}`).length)
}

/** Sets the clock off by this interval. */
const setClock = (leap: string) => server.db`update fake.clock set leap = ${leap}::text::interval`

for (const [leap, name] of [
  ['1 hour', 'put forward'],
  ['-1 hour', 'set back'],
  ['0', 'put right'],
] as const) {
  test(`when the clock is ${name} by an hour, a retry comes after its pause and a new event at once`, async t => {
    const hook = await addHook(t, server, [500, 200, 200])
    await emit(server)
    const { at: first } = await hook.receiver.next()
    await delivery(server, hook, one => one.attempts === 1)
    await setClock(leap)
    await emit(server)
    const { at: fresh } = await hook.receiver.next()
    const { at: second } = await hook.receiver.next()
    assert.ok(fresh - first < pause - tolerance, `${fresh - first}`)
    assert.ok(second - first >= pause - tolerance, `${second - first}`)
    assert.ok(second - first < pause + 5_000, `${second - first}`)
  })
}

test('an attempt is not repeated if the clock is put forward during it', async t => {
  const hook = await addHook(t, server, { status: 200, delay: 4_000 })
  await setClock('0')
  await emit(server)
  await hook.receiver.next()
  await setClock('1 hour')
  await emit(server, 'ticket.rated')
  await delivery(server, hook, one => one.event_type === 'ticket.closed' && one.status === 'succeeded')
  await delivery(server, hook, one => one.event_type === 'ticket.rated' && one.status === 'succeeded')
  assert.equal(hook.receiver.requests.length, 2)
})
