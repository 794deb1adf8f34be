import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, nobody, typesOf, unique } from '../../../test/cast.ts'
import { assertEnvelope, type Client } from '../../../test/client.ts'
import { makeChannel } from '../../../test/custom-channel.ts'
import { joinProject } from '../../../test/operator.ts'
import { startServer, type TestServer } from '../../../test/server.ts'

/** Admins create and change custom channels. */

let server: TestServer
let admin: Client
let operator: Client
let rival: Client

before(async () => {
  server = await startServer({ delivers: false })
  admin = (await joinProject(server, server.acme, { role: 'admin' })).api
  operator = (await joinProject(server, server.acme, { role: 'operator' })).api
  rival = (await joinProject(server, server.rival, { role: 'owner' })).api
})
after(() => server.close())

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('a channel is created, and can be read by its id or its name', async () => {
  const events = await typesOf(server, async () => {
    const made = await admin.post('/channels', { name: 'signal', title: 'Signal' })
    assert.equal(made.status, 201)
    assert.partialDeepStrictEqual(made.body, {
      ...{ name: 'signal', title: 'Signal', color: '#5c6b7a', department_id: null, state: 'active' },
      ...{ has_picture: false, waiting: 0, waiting_since: null, last_request_at: null, version: 1 },
    })
    for (const reference of [made.body.id, 'signal'])
      assert.deepEqual((await operator.get(`/channels/${reference}`)).body, made.body)
  })
  assert.deepEqual(events, [])
  assertEnvelope(await admin.post('/channels', { name: 'signal', title: 'x' }), 409, 'CHANNEL_EXISTS')
  assert.equal((await rival.post('/channels', { name: 'signal', title: 'Ours' })).status, 201)
  assert.equal((await admin.post('/channels', { name: 'Signal!', title: 'x' })).status, 422)
  assertEnvelope(await operator.post('/channels', { name: 'x', title: 'x' }), 403, 'ROLE_REQUIRED')
})

test('a change of an outdated version is refused, and new tickets get the new department', async () => {
  const { id: department_id } = await makeDepartment(server.db, server.acme)
  const program = await makeChannel(admin, server.api)
  const path = `/channels/${program.channel.id}`
  const change = { title: 'New', color: '#ff0000', department_id }
  const changed = await admin.patch(path, change, { headers: { 'if-match': '"1"' } })
  assert.partialDeepStrictEqual(changed.body, { ...change, name: program.channel.name, version: 2 })
  const late = await admin.patch(path, { title: 'Late' }, { headers: { 'if-match': '"1"' } })
  assertEnvelope(late, 412, 'SETTINGS_CHANGED')
  const { body } = await program.post(unique(), 'Hello')
  assert.equal((await admin.get(`/tickets/${body.ticket_id}`)).body.department_id, department_id)
  const unknown = await admin.patch(path, { department_id: nobody })
  assertEnvelope(unknown, 422, 'VALIDATION_ERROR', { field: 'department_id', reason: 'not_found' })
})

test('a picture is stored, shown and removed', async () => {
  const { channel } = await makeChannel(admin, server.api)
  const path = `/channels/${channel.id}/picture`
  assert.equal((await operator.get(path)).status, 404)
  assert.equal((await admin.put(path, { content: dot })).body.has_picture, true)
  const shown = await operator.get(path)
  assert.equal(shown.headers.get('content-type'), 'image/png')
  const text = await admin.put(path, { content: Buffer.from('text').toString('base64') })
  assertEnvelope(text, 422, 'VALIDATION_ERROR', { field: 'content', reason: 'not_a_picture' })
  assert.equal((await admin.delete(path)).body.has_picture, false)
  assert.equal((await operator.get(path)).status, 404)
})

test('the audit log has one entry for each change', async () => {
  const { channel } = await makeChannel(admin, server.api)
  const path = `/channels/${channel.id}`
  await admin.patch(path, { title: 'New' })
  for (const action of ['pause', 'pause', 'resume']) await admin.post(`${path}/${action}`)
  await admin.delete(path)
  const rows = await server.db<{ action: string }[]>`
    select action from audit_entries where project_id = ${server.acme.id} and target_id = ${channel.id} order by id`
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['created', 'changed', 'paused', 'resumed', 'deleted'].map(word => `channel.${word}`),
  )
})

test('another project can neither see nor change a channel', async () => {
  const { channel } = await makeChannel(admin, server.api)
  const path = `/channels/${channel.id}`
  for (const answer of [
    await rival.get(path),
    await rival.patch(path, { title: 'Ours' }),
    await rival.post(`${path}/pause`),
    await rival.put(`${path}/picture`, { content: dot }),
    await rival.delete(path),
  ])
    assertEnvelope(answer, 404, 'CHANNEL_NOT_FOUND')
  const { items } = (await rival.get('/channels')).body
  assert.ok(items.every(({ id }: { id: string }) => id !== channel.id))
})

test('a project has at most 50 channels', async () => {
  await server.db`
    insert into custom_channels (project_id, id, name, title, color)
    select ${server.rival.id}, gen_random_uuid(), 'many-' || n, 'Many', '#000000' from generate_series(1, 49) n
    on conflict do nothing`
  await rival.post('/channels', { name: 'last', title: 'Last' })
  const refused = await rival.post('/channels', { name: 'too-many', title: 'x' })
  assertEnvelope(refused, 422, 'VALIDATION_ERROR', { field: 'name', reason: 'too_many', max: 50 })
})
