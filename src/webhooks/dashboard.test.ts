import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertBrief, assertEnvelope } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { addHook, delivery, emit } from '../../test/webhooks.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer()
  desk = await openDesk(server)
})
after(() => server.close())

test('admins can manage webhooks with the operations of the public API, and operators cannot', async t => {
  const { id, path } = await addHook(t, server)
  for (const answer of [
    await desk.operator.get('/webhooks'),
    await desk.operator.post('/webhooks', { url: 'http://x' }),
    await desk.operator.get(`${path}/deliveries`),
    await desk.operator.post(`${path}/test`),
  ])
    assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'admin' })
  const [listed] = (await desk.admin.get('/webhooks')).body.items
  assert.partialDeepStrictEqual(listed, { id, consecutive_failures: 0, is_active: true })
  assert.deepEqual((await desk.stranger.get('/webhooks')).body.items, [])
  assertBrief(await desk.stranger.delete(path), 404)
})

test('a delivery shows its request as it was sent, but not to Rival', async t => {
  const hook = await addHook(t, server)
  await emit(server)
  const { id } = await delivery(server, hook, one => one.status === 'succeeded')
  const shown = (await desk.admin.get(`${hook.path}/deliveries/${id}`)).body
  const [sent] = hook.receiver.requests
  assert.equal(shown.request_body, sent!.body.toString())
  for (const [name, value] of Object.entries(shown.request_headers))
    assert.equal(sent!.headers[name.toLowerCase()], value, name)
  assert.equal(shown.request_headers['X-Webhook-Attempt'], '1')
  assertBrief(await desk.stranger.get(`${hook.path}/deliveries/${id}`), 404)
})

test('changes of a webhook are in the audit log, without secrets', async t => {
  const hook = await addHook(t, server, 200, { events: ['ticket.created'] })
  const address = `${hook.receiver.url}/hook?token=hidden`
  await desk.admin.patch(hook.path, { url: address.replace('//', '//user:hidden@'), is_active: false })
  await desk.admin.patch(hook.path, { is_active: false })
  const { secret } = (await desk.admin.post(`${hook.path}/rotate-secret`)).body
  await desk.admin.delete(hook.path)
  const { body, text } = await desk.admin.get(`/audit?target_id=${hook.id}`)
  const entries = body.items.reverse()
  assert.deepEqual(
    entries.map((one: { action: string; author_type: string }) => [one.action, one.author_type]),
    [
      ['webhook.created', 'api'],
      ['webhook.changed', 'operator'],
      ['webhook.secret_replaced', 'operator'],
      ['webhook.deleted', 'operator'],
    ],
  )
  assert.deepEqual(entries[1].detail, {
    before: { url: `${hook.receiver.url}/`, is_active: true },
    after: { url: `${hook.receiver.url}/hook`, is_active: false },
  })
  for (const hidden of ['hidden', secret, hook.secret]) assert.ok(!text.includes(hidden))
})
