import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { addHook, delivery, emit, type Hook, readHook } from '../../test/webhooks.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.close())

const rename = (from: string, to: string) =>
  server.db`alter table ${server.db(from)} rename to ${server.db(to)}`
const lapse = (table: string, hook: Hook) => server.db`
  update ${server.db(table)} set lease_until = now() - interval '1 s' where webhook_id = ${hook.id}`

/** Simulates that the clock was set back by an hour, so that the last events are in the future. */
const setClockBack = (hook: Hook) =>
  server.db`update webhooks set active_since = clock_timestamp() + interval '1 hour' where id = ${hook.id}`

test('an outcome that could not be written before its lease ended is neither lost nor sent again', async t => {
  const hook = await addHook(t, server, { status: 200, delay: 200 })
  await emit(server)
  await hook.receiver.next()
  await rename('webhook_deliveries', 'hidden')
  await sleep(500)
  await lapse('webhook_queue', hook)
  await sleep(1_000)
  await rename('hidden', 'webhook_deliveries')
  assert.equal((await delivery(server, hook, one => one.status === 'succeeded')).attempts, 1)
  assert.equal(hook.receiver.requests.length, 1)
})

test('after an outage, outcomes are written before the next claim', async t => {
  const hook = await addHook(t, server, { status: 200, delay: 200 })
  const other = await addHook(t, server, 200, { events: ['ticket.rated'] })
  for (let turn = 1; turn <= 3; turn++) {
    await emit(server)
    await hook.receiver.waitFor(turn)
    await rename('webhook_queue', 'hidden')
    await sleep(700 + turn * 100)
    await lapse('hidden', hook)
    await rename('hidden', 'webhook_queue')
    await until(
      async () => (await server.api.get(`${hook.path}/deliveries?status=succeeded`)).body.total === turn,
    )
  }
  await emit(server, 'ticket.rated')
  await other.receiver.next()
  await hook.receiver.waitFor(4)
  assert.equal(hook.receiver.requests.length, 4)
})

test('after the clock is set back, events of a subscription enabled before are delivered at once', async t => {
  const hook = await addHook(t, server, [200, 500, 200])
  await setClockBack(hook)
  await emit(server)
  const { id } = await delivery(server, hook, one => one.status === 'succeeded')
  await emit(server)
  await hook.receiver.waitFor(2)
  const waiting = await delivery(server, hook, one => one.status === 'pending' && one.attempts === 1)
  await sleep(600)
  assert.equal((await server.api.get(`${hook.path}/deliveries/${waiting.id}`)).body.status, 'pending')
  const [{ at }] = waiting.attempts_log
  assert.ok(Date.parse(`${waiting.next_attempt_at}Z`) - Date.parse(`${at}Z`) > 29_000)
  assert.equal(hook.receiver.requests.length, 2)
  await server.api.post(`${hook.path}/deliveries/${id}/redeliver`)
  await hook.receiver.waitFor(3)
})

test('after the clock is set back, deliveries cancelled by disabling are not sent later', async t => {
  const hook = await addHook(t, server)
  await setClockBack(hook)
  await server.api.patch(hook.path, { is_active: false })
  await server.db`
    insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
    select project_id, id, uuid_v7(), uuid_v7(), 'ticket.closed', active_since + interval '1 microsecond', now()
    from webhooks where id = ${hook.id}`
  await server.api.patch(hook.path, { is_active: true })
  await emit(server)
  await hook.receiver.next()
  assert.equal((await delivery(server, hook, one => one.status === 'cancelled')).attempts, 0)
  await delivery(server, hook, one => one.status === 'succeeded')
  assert.equal(hook.receiver.requests.length, 1)
  assert.equal((await readHook(server, hook)).is_active, true)
})

test('after the clock is set back, a lease that seems to last an hour has ended', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  await delivery(server, hook, one => one.attempts === 1)
  await server.db`
    update webhook_queue set run_at = now(), claim_id = uuid_v7(), lease_until = now() + interval '1 hour'
    where webhook_id = ${hook.id}`
  await delivery(server, hook, one => one.attempts === 2)
})
