import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../test/client.ts'
import { verifySignature } from '../../test/receiver.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { addHook, delivery, emit, type Hook, makeDue, readHook } from '../../test/webhooks.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.close())

const sent = async (hook: Hook, type?: Parameters<typeof emit>[1]) => {
  await emit(server, type)
  const { headers } = await hook.receiver.next()
  return delivery(server, hook, one => one.id === headers['x-webhook-id'] && one.attempts > 0)
}

test('a delivery shows its event, its attempts and the body as sent', async t => {
  const hook = await addHook(t, server, { status: 503, body: 'come back later' })
  const { id } = await sent(hook)
  const [request] = hook.receiver.requests
  const { status, body } = await server.api.get(`${hook.path}/deliveries/${id}`)
  assert.equal(status, 200)
  const { attempts_log, created_at, next_attempt_at, ...rest } = body
  assert.deepEqual(rest, {
    id,
    webhook_id: hook.id,
    event_id: JSON.parse(request!.body.toString()).id,
    event_type: 'ticket.closed',
    type: 'ticket.closed',
    status: 'pending',
    is_test: false,
    attempts: 1,
    finished_at: null,
    redelivery_of_id: null,
    last_status_code: 503,
    last_error: 'status',
    request_body: request!.body.toString(),
  })
  const { at, latency_ms, ...entry } = attempts_log[0]
  assert.deepEqual(entry, {
    attempt: 1,
    status_code: 503,
    error: 'status',
    response_excerpt: 'come back later',
  })
  assert.ok(Number.isInteger(latency_ms))
  for (const time of [at, created_at, next_attempt_at])
    assert.match(time, /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{6}$/)
})

test('deliveries can be filtered by type, under its name in the envelope, and by creation time', async t => {
  const hook = await addHook(t, server)
  const first = await sent(hook)
  const second = await sent(hook)
  const idsOf = async (query: string) =>
    (await server.api.get(`${hook.path}/deliveries?${query}`)).body.items.map((one: { id: string }) => one.id)
  assert.deepEqual(await idsOf('type=ticket.closed'), [second.id, first.id])
  assert.deepEqual(await idsOf('type=ticket.rated'), [])
  assert.deepEqual(await idsOf(`created_after=${second.created_at}`), [second.id])
  assert.deepEqual(await idsOf(`created_before=${second.created_at}`), [first.id])
  assert.deepEqual(await idsOf('created_after=2020-01-01&created_before=2020-01-02'), [])
  const wrong = await server.api.get(`${hook.path}/deliveries?type=ticket.shut`)
  assertEnvelope(wrong, 422, 'VALIDATION_ERROR', { field: 'type', reason: 'unknown_event' })
})

test('a page of deliveries has the newest first, and its cursor leads through all of them once', async t => {
  const hook = await addHook(t, server)
  const ids: string[] = []
  for (let turn = 0; turn < 7; turn++) ids.unshift((await sent(hook)).id)
  const first = await server.api.get(`${hook.path}/deliveries?page_size=3`)
  assert.equal(first.body.total, 7)
  assert.match(first.headers.get('link')!, /rel="next"/)
  const read = first.body.items.map((one: { id: string }) => one.id)
  let cursor = first.body.next_cursor
  while (cursor) {
    const { body } = await server.api.get(`${hook.path}/deliveries?page_size=3&cursor=${cursor}`)
    read.push(...body.items.map((one: { id: string }) => one.id))
    cursor = body.next_cursor
  }
  assert.deepEqual(read, ids)
  assert.deepEqual(
    (await server.api.get(`${hook.path}/deliveries?page=2&page_size=3`)).body.items[0].id,
    ids[3],
  )
})

test('deliveries can be filtered by status and by event', async t => {
  const hook = await addHook(t, server, [200, 500, 200])
  const [good, bad, rated] = [await sent(hook), await sent(hook), await sent(hook, 'ticket.rated')]
  const list = async (query: string) =>
    (await server.api.get(`${hook.path}/deliveries?${query}`)).body.items.map((one: { id: string }) => one.id)
  assert.deepEqual(await list('status=succeeded'), [rated.id, good.id])
  assert.deepEqual(await list('status=pending'), [bad.id])
  assert.deepEqual(await list('status=failed,pending'), [bad.id])
  assert.deepEqual(await list('event=ticket.rated'), [rated.id])
  assert.deepEqual(await list('event=ticket.rated&status=failed'), [])
})

test('an unknown status is refused with a validation list, an unknown event with VALIDATION_ERROR', async t => {
  const hook = await addHook(t, server)
  const status = await server.api.get(`${hook.path}/deliveries?status=lost`)
  assert.deepEqual([status.status, status.body.detail[0].type], [422, 'enum'])
  const event = await server.api.get(`${hook.path}/deliveries?event=x`)
  assert.deepEqual([event.status, event.body.error_code], [422, 'VALIDATION_ERROR'])
})

test('redeliver creates a new delivery of the same event', async t => {
  const hook = await addHook(t, server)
  const old = await sent(hook)
  const { status, body } = await server.api.post(`${hook.path}/deliveries/${old.id}/redeliver`)
  assert.equal(status, 202)
  assert.notEqual(body.id, old.id)
  assert.deepEqual([body.event_id, body.status, body.attempts], [old.event_id, 'pending', 0])
  assert.deepEqual([old.redelivery_of_id, body.redelivery_of_id], [null, old.id])
  const request = await hook.receiver.next()
  assert.equal(request.headers['x-webhook-id'], body.id)
  assert.equal(request.body.toString(), old.request_body)
  const ended = await delivery(server, hook, one => one.id === body.id && one.status === 'succeeded')
  assert.equal(ended.redelivery_of_id, old.id, 'also when it has ended')
})

test('redeliver does not duplicate a delivery that waits for its next attempt', async t => {
  const hook = await addHook(t, server, [200, 500])
  const old = await sent(hook)
  const again = (id: string) => server.api.post(`${hook.path}/deliveries/${id}/redeliver`)
  const answers = await Promise.all([1, 2, 3, 4].map(() => again(old.id)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 422, 422, 422])
  const { id } = answers.find(({ status }) => status === 202)!.body
  for (const answer of [...answers.filter(({ status }) => status === 422), await again(id)])
    assertEnvelope(answer, 422, 'VALIDATION_ERROR', { reason: 'delivery_pending', pending_delivery_id: id })
})

test('redeliver to an inactive subscription is refused', async t => {
  const hook = await addHook(t, server)
  const { id } = await sent(hook)
  await server.api.patch(hook.path, { is_active: false })
  const { status, body } = await server.api.post(`${hook.path}/deliveries/${id}/redeliver`)
  assert.deepEqual(
    [status, body.error_code, body.detail.reason],
    [422, 'VALIDATION_ERROR', 'webhook_inactive'],
  )
})

test('a repeated test is still a test: one attempt, without a change of the failure count', async t => {
  const hook = await addHook(t, server, 500)
  const { body: trial } = await server.api.post(`${hook.path}/test`)
  const { body } = await server.api.post(`${hook.path}/deliveries/${trial.delivery_id}/redeliver`)
  assert.equal(body.is_test, true)
  const ended = await delivery(server, hook, one => one.id === body.id && one.status !== 'pending')
  assert.deepEqual([ended.status, ended.attempts], ['failed', 1])
  assert.equal((await readHook(server, hook)).consecutive_failures, 0)
})

test('a missing delivery, and one of another subscription, answers a brief 404', async t => {
  const [hook, other] = [await addHook(t, server), await addHook(t, server)]
  const { id } = await sent(other)
  for (const path of [id, 'nonsense', hook.id]) {
    const { status, text } = await server.api.get(`${hook.path}/deliveries/${path}`)
    assert.deepEqual([status, text], [404, '{"detail":"Delivery not found"}'])
    assert.equal((await server.api.post(`${hook.path}/deliveries/${path}/redeliver`)).status, 404)
  }
})

test('after a rotation deliveries are signed with both secrets, and after 24 hours only with the new one', async t => {
  const hook = await addHook(t, server, 500)
  const { status, body } = await server.api.post(`${hook.path}/rotate-secret`)
  assert.equal(status, 200)
  assert.match(body.secret, /^[0-9a-f]{64}$/)
  await sent(hook)
  const [first] = hook.receiver.requests
  assert.ok(verifySignature(body.secret, first!.body, first!.headers['x-webhook-signature']))
  assert.ok(verifySignature(hook.secret, first!.body, first!.headers['x-webhook-signature-previous']))
  await server.db`update webhooks set previous_secret_until = now() where id = ${hook.id}`
  await makeDue(server, hook)
  const second = await hook.receiver.next()
  assert.ok(verifySignature(body.secret, second.body, second.headers['x-webhook-signature']))
  assert.equal(second.headers['x-webhook-signature-previous'], undefined)
})

test('If-Match with an older version answers 412 and changes nothing; the version is in ETag', async t => {
  const hook = await addHook(t, server)
  const { headers } = await server.api.get(hook.path)
  const etag = headers.get('etag')!
  const change = (description: string) =>
    server.api.patch(hook.path, { description }, { headers: { 'if-match': etag } })
  assert.equal((await change('first')).status, 200)
  const { status, body } = await change('second')
  assert.deepEqual([status, Object.keys(body)], [412, ['detail']])
  assert.equal((await readHook(server, hook)).description, 'first')
})

test('of two concurrent changes with the same version exactly one is accepted', async t => {
  const hook = await addHook(t, server)
  const change = (description: string) =>
    server.api.patch(hook.path, { description }, { headers: { 'if-match': '"1"' } })
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map(change))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412])
})

test('registering twice with one Idempotency-Key creates one subscription', async () => {
  const options = { headers: { 'idempotency-key': 'once' } }
  const send = () => server.api.post('/webhooks', { url: 'http://once' }, options)
  const [first, second] = [await send(), await send()]
  assert.deepEqual([first.status, second.status], [201, 201])
  assert.deepEqual(second.body, first.body)
  assert.equal(second.headers.get('idempotency-replayed'), 'true')
})
