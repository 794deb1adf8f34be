import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifySignature } from '../../test/receiver.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { addHook, delivery, emit, fail, makeDue, readHook } from '../../test/webhooks.ts'
import { notifyLogChange } from '../events/notifier.ts'
import { startDelivering } from './worker.ts'

/** Waits for a response longer than the setting allows, so that a request to a hanging target stays in progress. */
let server: TestServer
/** Waits only 400 ms. */
let hasty: TestServer
before(async () => {
  server = await startServer({ config: { webhookTimeout: 40_000 } })
  hasty = await startServer({ config: { webhookTimeout: 400 } })
})
after(async () => {
  await server.close()
  await hasty.close()
})

const queued = (webhookId: string) =>
  server.db`select * from webhook_queue where webhook_id = ${webhookId} order by id`

test('a response that does not arrive in time is a failed attempt with the error timeout', async t => {
  const hook = await addHook(t, hasty, { fault: 'hang' })
  await emit(hasty)
  const waiting = await delivery(hasty, hook, one => one.attempts === 1)
  assert.deepEqual(
    [waiting.status, waiting.last_status_code, waiting.last_error],
    ['pending', null, 'timeout'],
  )
  assert.ok(waiting.attempts_log[0].latency_ms >= 390)
})

test('the pause before the next attempt starts at the end of the attempt', async t => {
  const hook = await addHook(t, hasty, { fault: 'hang' })
  await emit(hasty)
  const { attempts_log, next_attempt_at } = await delivery(hasty, hook, one => one.attempts === 1)
  const pause = Date.parse(`${next_attempt_at}Z`) - Date.parse(`${attempts_log[0].at}Z`)
  assert.ok(pause >= 30_390, `${pause} ms`)
})

test('every attempt uses the current URL and secret of the subscription', async t => {
  const hook = await addHook(t, server, 500)
  const other = await addHook(t, server, 200, { events: ['ticket.rated'] })
  await emit(server)
  await delivery(server, hook, one => one.attempts === 1)
  await server.api.patch(hook.path, { url: `${other.receiver.url}/moved` })
  const { body: rotated } = await server.api.post(`${hook.path}/rotate-secret`)
  await makeDue(server, hook)
  const { path, headers, body } = await other.receiver.next()
  assert.equal(path, '/moved')
  assert.equal(headers['x-webhook-attempt'], '2')
  assert.ok(verifySignature(rotated.secret, body, headers['x-webhook-signature']))
})

test('a notification with an unknown project does not stop deliveries', async t => {
  const hook = await addHook(t, server, 200)
  notifyLogChange('no project', 'remote')
  for (let event = 1; event <= 3; event++) {
    await emit(server)
    await hook.receiver.waitFor(event)
  }
})

test('an attempt repeated after a crash has the same id and number', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  const first = await hook.receiver.next()
  await delivery(server, hook, one => one.attempts === 1)
  await server.db`
    update webhook_queue set run_at = now(), claim_id = uuid_v7(), lease_until = now() - interval '1 ms'
    where webhook_id = ${hook.id}`
  const second = await hook.receiver.next()
  assert.equal(second.headers['x-webhook-id'], first.headers['x-webhook-id'])
  assert.equal(second.headers['x-webhook-attempt'], '2')
})

test('a delivery that another process holds is not sent until its lease ends', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  await delivery(server, hook, one => one.attempts === 1)
  await server.db`
    update webhook_queue set run_at = now(), claim_id = uuid_v7(), lease_until = now() + interval '20 seconds'
    where webhook_id = ${hook.id}`
  await emit(server, 'ticket.rated')
  await hook.receiver.waitFor(2)
  assert.equal(hook.receiver.requests[1]!.headers['x-webhook-event'], 'ticket.rated')
  assert.equal((await queued(hook.id))[0]!.attempts, 1)
})

test('a delivery whose lease ended three times counts as attempted, without a request', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  await delivery(server, hook, one => one.attempts === 1)
  await server.db`
    update webhook_queue set run_at = now(), claim_id = uuid_v7(), lease_until = now() - interval '1 ms', lapses = 2
    where webhook_id = ${hook.id}`
  const waiting = await delivery(server, hook, one => one.attempts === 2)
  assert.deepEqual([waiting.last_error, waiting.last_status_code], ['interrupted', null])
  assert.equal(hook.receiver.requests.length, 1)
  assert.equal((await queued(hook.id))[0]!.lapses, 0)
})

test('cancels a delivery whose event is no longer stored', async t => {
  const hook = await addHook(t, server, 500)
  await emit(server)
  await delivery(server, hook, one => one.attempts === 1)
  await server.db`delete from events`
  await makeDue(server, hook)
  const ended = await delivery(server, hook, one => one.status === 'cancelled')
  assert.deepEqual([ended.attempts, ended.request_body], [1, null])
})

test('cancels what is waiting when a subscription is disabled by failures', async t => {
  const hook = await addHook(t, server, 500)
  await server.db`update webhooks set consecutive_failures = 4 where id = ${hook.id}`
  await fail(server, hook)
  assert.equal((await readHook(server, hook)).is_active, false)
  await server.db`
    insert into webhook_queue (project_id, webhook_id, id, event_id, event_type, run_at, created_at)
    select ${server.acme.id}, ${hook.id}, uuid_v7(), uuid_v7(), 'ticket.closed', now(), now() from generate_series(1, 700)`
  await until(async () => (await queued(hook.id)).length === 0)
  const { body } = await server.api.get(`${hook.path}/deliveries?status=cancelled`)
  assert.equal(body.total, 700)
  assert.equal(hook.receiver.requests.length, 6)
})

test('delivers an event written just after a subscription was enabled again', async t => {
  const hook = await addHook(t, server)
  for (let turn = 1; turn <= 20; turn++) {
    await server.api.patch(hook.path, { is_active: false })
    await server.api.patch(hook.path, { is_active: true })
    await emit(server)
    await hook.receiver.waitFor(turn)
  }
})

test('a hanging target does not delay another target of the project', async t => {
  const hanging = await addHook(t, server, { fault: 'hang' })
  const hook = await addHook(t, server)
  for (let turn = 0; turn < 100; turn++) await emit(server)
  await hook.receiver.waitFor(100)
  assert.equal(hanging.receiver.requests.length, 8)
})

test('at most eight requests to one target are in progress', async t => {
  const hook = await addHook(t, server, { fault: 'hang' })
  await Promise.all(Array.from({ length: 30 }, () => emit(server)))
  await hook.receiver.waitFor(8)
  const [row] = await server.db`
    select count(*)::int as count from webhook_queue where webhook_id = ${hook.id} and lease_until > now()`
  assert.deepEqual([row!.count, hook.receiver.requests.length], [8, 8])
})

test('stopping waits for the attempts in progress and writes their outcomes', async t => {
  const own = await startServer({ delivers: false })
  const delivering = startDelivering(own)
  const hook = await addHook(t, own, { status: 200, delay: 150 })
  t.after(() => own.close())
  await emit(own)
  await hook.receiver.next()
  await delivering.stop()
  const ended = await delivery(own, hook, one => one.status === 'succeeded')
  assert.equal(ended.attempts, 1)
})

test('claims nothing after stopping', async t => {
  const own = await startServer({ delivers: false })
  const delivering = startDelivering(own)
  const hook = await addHook(t, own)
  t.after(() => own.close())
  await delivering.stop()
  await emit(own)
  const waiting = await delivery(own, hook, one => one.status === 'pending')
  assert.deepEqual([waiting.attempts, hook.receiver.requests.length], [0, 0])
})

test('two processes share the work, and everything is sent once', async t => {
  const second = startDelivering(server)
  t.after(() => second.stop())
  const hook = await addHook(t, server)
  await Promise.all(Array.from({ length: 200 }, () => emit(server)))
  await until(
    async () => (await server.api.get(`${hook.path}/deliveries?status=succeeded`)).body.total === 200,
  )
  assert.equal(new Set(hook.receiver.requests.map(({ headers }) => headers['x-webhook-id'])).size, 200)
  assert.equal(hook.receiver.requests.length, 200)
})

test('delivering continues after lost database connections', async t => {
  const hook = await addHook(t, server)
  for (let turn = 0; turn < 5; turn++) {
    await server.db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.catch(() => {})
    const isWritten = () =>
      emit(server).then(
        () => true,
        () => false,
      )
    await until(isWritten)
    await hook.receiver.next()
  }
})
