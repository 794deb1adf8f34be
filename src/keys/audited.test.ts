import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nobody } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems, createClient } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const make = async (name = 'CI server') => (await desk.admin.post('/keys', { name })).body
const actions = async () =>
  (await desk.admin.get('/audit?action=key')).body.items.map((entry: { action: string }) => entry.action)

test('a key created in the dashboard works until it is disabled, again when it is enabled, and not after its deletion', async () => {
  const { id, key } = await make()
  const caller = createClient(server.url, key)
  assert.equal((await caller.get('/project')).status, 200)
  assert.equal((await desk.admin.patch(`/keys/${id}`, { is_active: false })).body.is_active, false)
  assertBrief(await caller.get('/project'), 401)
  assert.equal((await desk.admin.patch(`/keys/${id}`, { is_active: true })).body.is_active, true)
  assert.equal((await caller.get('/project')).status, 200)
  assert.equal((await desk.admin.delete(`/keys/${id}`)).status, 204)
  assertBrief(await caller.get('/project'), 401)
  assert.deepEqual((await actions()).slice(0, 4), [
    'key.deleted',
    'key.changed',
    'key.changed',
    'key.created',
  ])
})

test('the whole key is only in the response that created it, not in the list or the audit log', async () => {
  const { key, prefix } = await make('Shown once')
  const list = await desk.admin.get('/keys')
  const audit = await desk.admin.get('/audit?action=key')
  assert.ok(list.text.includes(prefix))
  assert.ok(!(list.text + audit.text).includes(key.slice(prefix.length)))
})

test('only admins list, create, change and delete keys, and only those of their project', async () => {
  const { id } = await make()
  for (const answer of [
    await desk.operator.get('/keys'),
    await desk.operator.post('/keys', { name: 'x' }),
    await desk.operator.patch(`/keys/${id}`, { is_active: false }),
    await desk.operator.delete(`/keys/${id}`),
  ])
    assertEnvelope(answer, 403, 'ROLE_REQUIRED', { role: 'admin' })
  for (const unknown of [id, nobody, 'x']) {
    assertEnvelope(await desk.stranger.patch(`/keys/${unknown}`, { is_active: false }), 404, 'KEY_NOT_FOUND')
    assertEnvelope(await desk.stranger.delete(`/keys/${unknown}`), 404, 'KEY_NOT_FOUND')
  }
  const theirs = (await desk.stranger.get('/keys')).body.items
  assert.deepEqual(
    theirs.map((one: { name: string }) => one.name),
    ["Rival's key"],
  )
  assertProblems(await desk.admin.post('/keys', { name: ' ' }), 'body.name')
})

async function lastUse(id: string): Promise<string | null> {
  const { items } = (await desk.admin.get('/keys')).body
  return items.find((one: { id: string }) => one.id === id).last_used_at
}

test('the time of the last use is recorded in the background, at most once a minute', async () => {
  const { id, key } = await make('Used')
  assert.equal(await lastUse(id), null)
  const caller = createClient(server.url, key)
  await caller.get('/project')
  await until(async () => (await caller.get('/project')) && (await lastUse(id)))
  const first = await lastUse(id)
  for (let count = 0; count < 20; count++) await caller.get('/project')
  assert.equal(await lastUse(id), first)
})
