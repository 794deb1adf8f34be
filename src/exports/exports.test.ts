import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { fromBufferPromise } from 'yauzl'
import { makeMessage, makeTicket, nobody } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { makeArticle } from '../../test/knowledge.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { upload } from '../../test/upload.ts'
import { createStorages, type Storages } from '../media/media.ts'
import type { Storage } from '../media/storage.ts'
import { deleteExpiredExports, writeExports } from './project-exports.ts'
import { excludedTables, exportedTables } from './tables.ts'

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const run = () =>
  writeExports({ db: server.db, storages: createStorages(server), log: server.log }, server.acme.id)
const newest = async () => (await desk.owner.get('/exports')).body.items[0]

async function download(id: string): Promise<Map<string, string>> {
  const zip = await fromBufferPromise(await fetchFile(id))
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)))
  return files
}

/** The client for tests reads responses as text, but an archive is binary. */
async function fetchFile(id: string): Promise<Buffer> {
  const response = await desk.download(`/exports/${id}/file`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/zip')
  return Buffer.from(await response.arrayBuffer())
}

const linesOf = (file: string | undefined) =>
  (file ?? '')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

test("an export contains the project's data, without secrets and without data of Rival", async () => {
  const ticket = await makeTicket(server.api, { subject: 'Ours', tags: ['vip'] })
  await makeMessage(server.api, ticket.id, { content: 'Many words 😀' })
  await makeTicket(server.outsider, { subject: 'Theirs' })
  await makeArticle(server.db, server.acme)
  await upload(server.api, { filename: 'a b.txt', content: 'the bytes' })
  const hook = (await server.api.post('/webhooks', { url: 'http://example.com' })).body
  await server.api.post('/sender-rules', { pattern: 'ads.example', verdict: 'blocked' })
  await desk.operator.put('/image-senders/ann@example.com')
  await desk.stranger.put('/image-senders/eve@theirs.example')
  const asked = await desk.owner.post('/exports', { has_files: true })
  assert.equal(asked.status, 202, asked.text)
  assert.equal(await run(), 1)
  const done = await newest()
  assert.partialDeepStrictEqual(done, { id: asked.body.id, status: 'done', is_own: true, reason: null })
  assert.equal(done.rows_done, done.rows_total)
  const files = await download(done.id)
  assert.deepEqual(
    linesOf(files.get('tickets.jsonl')).map(one => one.subject),
    ['Ours'],
  )
  assert.ok(linesOf(files.get('messages.jsonl')).some(one => one.content === 'Many words 😀'))
  assert.equal(linesOf(files.get('articles.jsonl'))[0].translations[0].locale, 'en')
  assert.equal(linesOf(files.get('contacts.jsonl'))[0].identities[0].type, 'email')
  assert.equal(linesOf(files.get('sender_rules.jsonl'))[0].pattern, 'ads.example')
  const settings = JSON.parse(files.get('project.json')!)
  assert.deepEqual([settings.name, settings.image_senders], ['Acme', ['ann@example.com']])
  assert.equal([...files].find(([name]) => name.endsWith('a-b.txt'))?.[1], 'the bytes')
  const all = [...files.values()].join('\n')
  for (const hidden of [hook.secret, 'storage_key', '"hash"', 'Theirs', server.rival.id])
    assert.ok(!all.includes(hidden), hidden)
})

test('every table of projects is exported or explicitly excluded', async () => {
  const found = await server.db<{ name: string }[]>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_name)
    where column_name = 'project_id' and table_type = 'BASE TABLE' and tables.table_schema = 'public'`
  const known = [...exportedTables.map(({ name }) => name), ...excludedTables]
  assert.deepEqual(
    found.map(({ name }) => name).filter(name => !known.includes(name)),
    [],
  )
})

test('only owners request exports, and only the person who requested one can download it', async () => {
  const { id } = await newest()
  assertEnvelope(await desk.admin.post('/exports', {}), 403, 'ROLE_REQUIRED', { role: 'owner' })
  assertEnvelope(await desk.admin.get(`/exports/${id}/file`), 403, 'ROLE_REQUIRED')
  for (const unknown of [id, nobody, 'x'])
    assertEnvelope(await desk.stranger.get(`/exports/${unknown}/file`), 404, 'EXPORT_NOT_FOUND')
  assert.deepEqual((await desk.stranger.get('/exports')).body.items, [])
  assertEnvelope(await desk.otherOwner.get(`/exports/${id}/file`), 404, 'EXPORT_NOT_FOUND')
  const { items } = (await desk.owner.get('/audit?action=export')).body
  assert.deepEqual(
    items.map((one: { action: string }) => one.action),
    ['export.downloaded', 'export.asked_for'],
  )
})

test('only one export is written at a time, and another process takes over if its process dies', async () => {
  const { id } = (await desk.owner.post('/exports', {})).body
  assertEnvelope(await desk.owner.post('/exports', {}), 409, 'NOT_POSSIBLE', {
    reason: 'export_in_progress',
  })
  await server.db`update exports set status = 'running', tries = 1, lease_until = now() + interval '1 minute' where id = ${id}`
  assert.equal(await run(), 0)
  await server.db`update exports set lease_until = now() - interval '1 s' where id = ${id}`
  assert.equal(await run(), 1)
  assert.equal((await newest()).status, 'done')
})

test('the lease is renewed while a file takes longer than the lease, so no other process starts the export again', async () => {
  const { id } = (await desk.owner.post('/exports', {})).body
  const known = createStorages(server)
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow: Storages = {
    ...known,
    async choose(projectId) {
      const chosen = await known.choose(projectId)
      const write: Storage['write'] = async (key, content) => {
        held.resolve()
        await released.promise
        await chosen.storage.write(key, content)
      }
      return { ...chosen, storage: { ...chosen.storage, write } }
    },
  }
  const writing = writeExports({ db: server.db, storages: slow, log: server.log }, server.acme.id, 10_000)
  await held.promise
  const [first] = await server.db`select lease_until from exports where id = ${id}`
  await until(async () => (await server.db`select where now() > ${first!.lease_until}`).length > 0)
  assert.equal(await run(), 0)
  released.resolve()
  assert.equal(await writing, 1)
  assert.partialDeepStrictEqual(await newest(), { id, status: 'done' })
  const [{ tries } = { tries: 0 }] = await server.db`select tries from exports where id = ${id}`
  assert.equal(tries, 1)
})

test('an export that cannot be written fails after three attempts', async () => {
  const { id } = (await desk.owner.post('/exports', {})).body
  const storages = {
    ...createStorages(server),
    async choose() {
      throw new Error('no place')
    },
  }
  for (let tries = 0; tries < 3; tries++) {
    await writeExports({ db: server.db, storages: storages as never, log: server.log }, server.acme.id)
    await server.db`update exports set lease_until = null where id = ${id}`
  }
  assert.equal((await newest()).status, 'failed')
  assert.equal(await run(), 0)
})

test('an export expires after seven days, and its file is then due for deletion', async () => {
  const { id } = (await desk.owner.get('/exports')).body.items.at(-1)
  await server.db`update exports set expires_at = now() - interval '1 s' where id = ${id}`
  assertEnvelope(await desk.owner.get(`/exports/${id}/file`), 404, 'EXPORT_NOT_FOUND')
  assert.equal(await deleteExpiredExports(server.db), 1)
  const [stray] = await server.db`select count(*)::int from stray_objects where due_at <= now()`
  assert.equal(stray!.count, 1)
})

test('a large file is exported unchanged', async () => {
  const content = randomBytes(1_000_000).toString('base64')
  await upload(server.api, { filename: 'large.txt', content })
  await desk.owner.post('/exports', { has_files: true })
  assert.equal(await run(), 1)
  const files = await download((await newest()).id)
  assert.ok([...files].find(([name]) => name.endsWith('large.txt'))?.[1] === content)
})
