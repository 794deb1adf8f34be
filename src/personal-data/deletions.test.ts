import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fromBufferPromise } from 'yauzl'
import { makeContact, makeMessage, makeTicket, nobody, typesOf, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { type Desk, openDesk } from '../../test/desk.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { makeUpload } from '../../test/upload.ts'
import { connectApart, type Db } from '../core/db/db.ts'
import { createStorages } from '../media/media.ts'
import { continueDataDeletions } from './personal-data.ts'

/** Deleting tickets and contacts, and exporting a contact, through the API. */

let server: TestServer
let desk: Desk
before(async () => {
  server = await startServer({ delivers: false })
  desk = await openDesk(server)
})
after(() => server.close())

const remove = (path: string, options = {}) => server.api.request('DELETE', path, undefined, options)

const runLot = (db: Db = server.db) =>
  continueDataDeletions({ ...server, db, storages: createStorages(server) }, server.acme.id)

const runDeletions = async (db?: Db) => {
  while ((await runLot(db)) > 0);
}

test('deleting a ticket deletes its messages; its contact and their other tickets stay', async () => {
  const { api } = server
  const { id: contact_id, email } = await makeContact(api)
  const ticket = await makeTicket(api, { contact: { email }, content: 'Gone' })
  const other = await makeTicket(api, { contact: { email }, content: 'Stays' })
  const message = await makeMessage(api, ticket.id)
  const preview = await api.get(`/tickets/${ticket.id}/deletion-preview`)
  assert.deepEqual(preview.body, { tickets: 1, messages: 2, files: 0, mails: 0, exports: 0 })
  const asked = await remove(`/tickets/${ticket.id}`)
  assert.equal(asked.status, 202)
  assert.partialDeepStrictEqual(asked.body, { kind: 'ticket', record_id: ticket.id, state: 'running' })
  assert.deepEqual((await remove(`/tickets/${ticket.id}`)).body, asked.body, 'asking again changes nothing')
  await runDeletions()
  const done = await api.get(`/deletions/${asked.body.id}`)
  assert.partialDeepStrictEqual(done.body, { state: 'done', tickets: 1, messages: 2, messages_total: 2 })
  assertEnvelope(await api.get(`/tickets/${ticket.id}`), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await api.get(`/messages/${message.id}`), 404, 'MESSAGE_NOT_FOUND')
  assert.equal((await api.get(`/contacts/${contact_id}`)).status, 200)
  assert.equal((await api.get(`/tickets/${other.id}`)).body.messages_count, 1)
})

test('the events of deleted records keep their types, ids and links, but not their contents', async () => {
  const { api, db, acme } = server
  const [start] = await db<{ seq: number }[]>`
    select coalesce(max(seq), 0)::int as seq from events where project_id = ${acme.id}`
  const readEvents = async () =>
    (await api.get(`/updates?after=${start!.seq}&timeout=0&limit=100`)).body.items
  const secret = unique()
  const contact = await makeContact(api, { full_name: secret })
  await makeTicket(api, { contact: { email: contact.email }, content: secret })
  const before = await readEvents()
  assert.ok(JSON.stringify(before).includes(secret))
  await remove(`/contacts/${contact.id}`)
  await runDeletions()
  const after = (await readEvents()).slice(0, before.length)
  assert.ok(!JSON.stringify(after).includes(secret))
  const skeleton = ({ id, seq, type, _links }: Record<string, unknown>) => ({ id, seq, type, _links })
  assert.deepEqual(after.map(skeleton), before.map(skeleton))
})

test('deleting a ticket also deletes the tickets that were merged into it, but not its follow-up', async () => {
  const { api, db } = server
  const [first, source, target, later] = await Promise.all([1, 2, 3, 4].map(() => makeTicket(api)))
  for (const [from, into] of [
    [first, source],
    [source, target],
  ])
    await api.post(`/tickets/${from.id}/merge`, { into_ticket_id: into.id, force: true })
  await db`update tickets set follow_up_of_id = ${target.id} where id = ${later.id}`
  assert.equal((await api.get(`/tickets/${target.id}/deletion-preview`)).body.tickets, 3)
  await remove(`/tickets/${target.id}`)
  await runDeletions()
  for (const { id } of [target, source, first])
    assert.deepEqual([...(await db`select id from tickets where id = ${id}`)], [])
  assert.equal((await api.get(`/tickets/${later.id}`)).body.follow_up_of_id, null)
})

test('nothing leaves a contact that is being deleted, by a merge, its undo or a move of an identity', async () => {
  const { api } = server
  const [deleted, merged, other] = await Promise.all([1, 2, 3].map(() => makeContact(api)))
  const ticket = await makeTicket(api, { contact: { email: deleted.email } })
  await api.post(`/contacts/${merged.id}/merge`, { into_contact_id: deleted.id })
  await remove(`/contacts/${deleted.id}`)
  const into = { into_contact_id: other.id }
  const move = `/contacts/${deleted.id}/identities/email:${deleted.email}/move`
  for (const [path, body] of [
    [`/contacts/${deleted.id}/merge`, into],
    [move, into],
    [`/contacts/${merged.id}/unmerge`],
  ] as const)
    assertEnvelope(await api.post(path, body), 404, 'CONTACT_NOT_FOUND')
  const joined = await api.post(`/contacts/${other.id}/merge`, { into_contact_id: deleted.id })
  assert.equal(joined.status, 422)
  await runDeletions()
  for (const path of [`/tickets/${ticket.id}`, `/contacts/${deleted.id}`, `/contacts/${merged.id}`])
    assert.equal((await api.get(path)).status, 404)
  assert.equal((await api.get(`/contacts/${other.id}`)).status, 200)
})

test('nothing leaves a ticket that is being deleted, by a merge, its undo or a split', async () => {
  const { api } = server
  const email = (await makeContact(api)).email
  const [deleted, other, merged] = await Promise.all(
    ['Gone', 'Stays', 'Merged'].map(content => makeTicket(api, { contact: { email }, content })),
  )
  const [first] = (await api.get(`/tickets/${deleted.id}/messages`)).body.items
  await makeMessage(api, deleted.id)
  await api.post(`/tickets/${merged.id}/merge`, { into_ticket_id: deleted.id })
  await remove(`/tickets/${deleted.id}`)
  const [one, two] = [`/tickets/${deleted.id}`, `/tickets/${other.id}`]
  for (const [path, body] of [
    [`${one}/merge`, { into_ticket_id: other.id }],
    [`${two}/merge`, { into_ticket_id: deleted.id }],
    [`/messages/${first.id}/split`, {}],
  ] as const)
    assertEnvelope(await api.post(path, body), 404, 'TICKET_NOT_FOUND')
  const { admin } = desk
  for (const [path, body] of [
    [`${one}/split`, { message_ids: [first.id] }],
    [`/tickets/${merged.id}/unmerge`, {}],
  ] as const)
    assert.ok([404, 409].includes((await admin.post(path, body)).status), path)
  await runDeletions()
  for (const id of [deleted.id, merged.id]) assert.equal((await api.get(`/tickets/${id}`)).status, 404)
  const { items } = (await api.get(`${two}/messages`)).body
  assert.deepEqual(
    items.map((one: { content: string }) => one.content),
    ['Stays'],
  )
})

test('the event log keeps its numbers, and the events of a deleted ticket have no content', async () => {
  const { api, db } = server
  const ticket = await makeTicket(api, { subject: 'Secret subject', content: 'Secret text' })
  const list = () => db<{ seq: number; id: string; type: string; data: Record<string, unknown> }[]>`
    select seq, id, type, data from events where data->>'ticket_id' = ${ticket.id} order by seq`
  const seen = await list()
  const types = await typesOf(server, async () => {
    await remove(`/tickets/${ticket.id}`)
    await runDeletions()
  })
  assert.deepEqual(types, [], 'a deletion has no event')
  const after = await list()
  assert.deepEqual(
    after.map(({ seq, id, type }) => [seq, id, type]),
    seen.map(({ seq, id, type }) => [seq, id, type]),
  )
  assert.deepEqual(
    after.map(({ data }) => Object.keys(data)),
    seen.map(({ data }) => Object.keys(data)),
  )
  assert.deepEqual([after[0]!.data.subject, after[1]!.data.content, after[1]!.data.media], [null, '', []])
  assert.equal(after[0]!.data.status, 'new')
})

test('a request whose Idempotency-Key created a deleted record is refused, and creates nothing again', async () => {
  const { api, db } = server
  const send = () =>
    api.post(
      '/tickets',
      { contact: { email: 'repeat@example.com' } },
      { headers: { 'idempotency-key': 'k-1' } },
    )
  const { body } = await send()
  assert.equal((await send()).headers.get('idempotency-replayed'), 'true')
  await remove(`/contacts/${body.contact_id}`)
  await runDeletions()
  assertEnvelope(await send(), 422, 'VALIDATION_ERROR', { reason: 'record_deleted' })
  assert.equal((await db`select from contacts where email = 'repeat@example.com'`).length, 0)
})

test('a ticket that is created while its contact is being deleted is deleted too', async () => {
  const { api } = server
  const email = `${unique()}@example.com`
  const { contact_id } = await makeTicket(api, { contact: { email }, content: 'First' })
  await remove(`/contacts/${contact_id}`)
  await runLot()
  await runLot()
  const late = await makeTicket(api, { contact: { email }, content: 'Late' })
  assert.equal(late.contact_id, contact_id)
  await runDeletions()
  for (const path of [`/tickets/${late.id}`, `/contacts/${contact_id}`])
    assert.equal((await api.get(path)).status, 404, path)
})

test('a contact with 20,000 messages and files is deleted in short transactions, which can be interrupted', async t => {
  const { api, db, acme } = server
  const ticket = await makeTicket(api, { content: 'First' })
  await db`
    insert into messages (project_id, id, ticket_id, sender_type, content, content_format, channel, delivery_status, delivery_updated_at,
      created_at, search, search_version)
    select ${acme.id}, uuid_v7(), ${ticket.id}, 'contact', 'word' || n, 'text', 'api', 'sent', now(), now(),
      to_tsvector('simple', 'word' || n), 2 from generate_series(1, 20000) n`
  await db`
    insert into media (project_id, id, message_id, filename, content_type, kind, size, sha256, created_at, storage_key)
    select ${acme.id}, uuid_v7(), id, 'a.txt', 'text/plain', 'file', 1, '', now(), ''
    from messages where ticket_id = ${ticket.id}`
  const { id } = (await remove(`/contacts/${ticket.contact_id}`)).body
  const short = connectApart(db, { max: 1, statementTimeout: 2_000 })
  t.after(() => short.end())
  let slowest = 0
  const shown = new Set<number>()
  for (let left = 1; left > 0; ) {
    // As after a crash: only the database keeps anything between two transactions.
    const startedAt = performance.now()
    left = await runLot(short)
    slowest = Math.max(slowest, performance.now() - startedAt)
    shown.add((await api.get(`/deletions/${id}`)).body.messages)
  }
  assert.ok(shown.size > 30, 'the progress is shown')
  assert.ok(slowest < 3_000, `the slowest transaction took ${Math.round(slowest)} ms`)
  const { body } = await api.get(`/deletions/${id}`)
  assert.partialDeepStrictEqual(body, { state: 'done', messages: 20_001, files: 20_001, tickets: 1 })
  assert.equal((await db`select from deleted_records`).length, 0)
})

test('only admins and owners delete and export, and another project finds nothing to delete', async () => {
  const { api, outsider, db } = server
  const ticket = await makeTicket(api)
  for (const path of [`/tickets/${ticket.id}`, `/contacts/${ticket.contact_id}`]) {
    assertEnvelope(await desk.operator.request('DELETE', path), 403, 'ROLE_REQUIRED', { role: 'admin' })
    assert.equal((await outsider.request('DELETE', path)).status, 404)
    assert.equal((await desk.stranger.request('DELETE', path)).status, 404)
    assert.equal((await api.get(path)).status, 200)
  }
  const path = `/contacts/${ticket.contact_id}/export`
  assertEnvelope(await desk.operator.get(path), 403, 'ROLE_REQUIRED', { role: 'admin' })
  assert.equal((await outsider.get(path)).status, 404)
  assertEnvelope(await api.get(`/deletions/${nobody}`), 404, 'DELETION_NOT_FOUND')
  const asked = await desk.admin.request('DELETE', `/contacts/${ticket.contact_id}`)
  assert.equal(asked.status, 202)
  assert.equal((await outsider.get(`/deletions/${asked.body.id}`)).status, 404)
  assert.deepEqual((await outsider.get('/deletions')).body, { items: [], has_more: false })
  const [entry] = await db`select * from audit_entries where action = 'contact.deleted' order by id desc`
  assert.partialDeepStrictEqual(entry, { target_id: ticket.contact_id, target_name: null, detail: {} })
})

test('programs that keep a copy can read the deletions that follow the last one they know', async () => {
  const { api } = server
  const all = (await api.get('/deletions?limit=100')).body.items
  const first = (await api.get('/deletions?limit=1')).body
  assert.deepEqual(first, { items: all.slice(0, 1), has_more: true })
  const rest = await api.get(`/deletions?after=${all[0].id}&limit=100`)
  assert.deepEqual(rest.body.items, all.slice(1))
})

test("the export of a contact has their tickets, messages, notes and files, and nobody else's", async () => {
  const { api, acme, url } = server
  const file = await makeUpload(api, { filename: 'a b.txt', content: 'the bytes' })
  const contact = { email: 'export@example.com', full_name: 'Ann <b>Lee</b>' }
  const ticket = await makeTicket(api, {
    contact,
    subject: 'Mine & yours',
    content: 'With a file',
    media_ids: [file.id],
  })
  await makeMessage(api, ticket.id, { content: 'A note about Ann', is_internal: true })
  await makeTicket(api, { subject: 'Of others', content: 'Not for Ann' })
  const answer = await fetch(`${url}/contacts/${ticket.contact_id}/export`, {
    headers: { authorization: `Bearer ${acme.key.key}` },
  })
  assert.equal(answer.headers.get('content-type'), 'application/zip')
  const zip = await fromBufferPromise(Buffer.from(await answer.arrayBuffer()))
  const files = new Map<string, string>()
  for await (const entry of zip.eachEntry()) {
    const chunks = await (await zip.openReadStreamPromise(entry)).toArray()
    files.set(entry.fileName, Buffer.concat(chunks).toString())
  }
  const page = files.get(`tickets/${ticket.short_id}.html`)!
  for (const text of ['With a file', 'A note about Ann', 'internal note', 'Mine &amp; yours'])
    assert.ok(page.includes(text), text)
  assert.ok(files.get('index.html')!.includes('Ann &lt;b&gt;Lee&lt;/b&gt;'))
  assert.equal(files.get(`files/${file.id}-a-b.txt`), 'the bytes')
  assert.ok(page.includes(`../files/${file.id}-a-b.txt`))
  assert.equal(JSON.parse(files.get('contact.jsonl')!).identities[0].value, 'export@example.com')
  assert.equal(files.get('messages.jsonl')!.trim().split('\n').length, 2)
  assert.ok(![...files.values()].join('\n').match(/Of others|Not for Ann|storage_key/))
})
