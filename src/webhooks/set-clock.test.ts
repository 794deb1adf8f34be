import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { administrate } from '../../test/database.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { addHook, delivery, emit } from '../../test/webhooks.ts'
import { startDelivering } from './worker.ts'

const pause = 3_000

/** Milliseconds within which a delayed retry is found. */
const checkInterval = 15_000

/** Milliseconds by which a busy machine may delay a request. */
const busyMs = 10_000

let server: TestServer
let delivering: ReturnType<typeof startDelivering>
before(async () => {
  server = await startServer({ delivers: false, config: { webhookRetryDelays: [pause] } })
  await fakeClock()
  delivering = startDelivering(server)
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

/** Sets the clock off by this interval. */
const setClock = (leap: string) => server.db`update fake.clock set leap = ${leap}::text::interval`

for (const [leap, name] of [
  ['1 hour', 'put forward'],
  ['-1 hour', 'set back'],
  ['0', 'put right'],
] as const) {
  test(`when the clock is ${name} by an hour, a retry does not wait for longer than usual, and a new event is sent at once`, async t => {
    const hook = await addHook(t, server, [500, 200, 200])
    await emit(server)
    const { at: first } = await hook.receiver.next()
    await delivery(server, hook, one => one.attempts === 1)
    await setClock(leap)
    const emittedAt = Date.now()
    await emit(server, 'ticket.rated')
    const { at: fresh } = await hook.receiver.next(
      ({ headers }) => headers['x-webhook-event'] === 'ticket.rated',
    )
    const { at: second } = await hook.receiver.next(({ headers }) => headers['x-webhook-attempt'] === '2')
    assert.ok(fresh - emittedAt < busyMs, `${fresh - emittedAt}`)
    assert.ok(second - first < checkInterval + pause + busyMs, `${second - first}`)
    await delivery(server, hook, one => one.event_type === 'ticket.closed' && one.status === 'succeeded')
  })
}

test('a lease from before the clock was set back does not keep a delivery', async t => {
  const hook = await addHook(t, server, [500, 200])
  await emit(server)
  await delivery(server, hook, one => one.attempts === 1)
  await server.db`
    update webhook_queue set run_at = clock_timestamp(), claim_id = uuid_v7(), lease_until = clock_timestamp() + interval '1 hour'
    where webhook_id = ${hook.id}`
  await delivery(server, hook, one => one.status === 'succeeded')
})
