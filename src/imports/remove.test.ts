import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { eventsOf, makeMessage, makeTicket, unique } from '../../test/cast.ts'
import { importItems, importSource, oldMessage, oldTicket } from '../../test/imports.ts'
import { startServer } from '../../test/server.ts'
import { makeUpload } from '../../test/upload.ts'
import { createStorages } from '../media/media.ts'
import { continueRemovals, importFile } from './imports.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

const path = `/import/${importSource}`
const importTickets = (...items: object[]) => importItems(api, 'tickets', items)

/** Starts the removal of the import, and runs the job until nothing is left to do. */
async function removeAll(query = '') {
  const answer = await api.request('DELETE', `${path}${query}`)
  assert.equal(answer.status, 202, answer.text)
  while ((await continueRemovals(db, acme.id)) > 0);
  return answer.body
}

const countAll = async () => {
  const [row] = await db`
    select (select count(*)::int from tickets) as tickets, (select count(*)::int from messages) as messages,
      (select count(*)::int from contacts) as contacts, (select count(*)::int from contact_identities) as identities,
      (select count(*)::int from media) as files, (select count(*)::int from imported_records) as records`
  return row
}

test('the removal of an import deletes everything that it created, with files and contacts, and emits no event', async () => {
  const live = await makeTicket(api, { content: 'Live' })
  const before = await countAll()
  const file = await makeUpload(api)
  const media = oldMessage(unique(), { media_ids: [file.id] })
  await importTickets(oldTicket(), oldTicket(), oldTicket({ messages: [media] }))
  await importItems(api, 'contacts', [{ source_id: 'alone', email: `${unique()}@example.com` }])
  const events = await eventsOf(server, async () => {
    const body = await removeAll()
    assert.partialDeepStrictEqual(body, { state: 'removing', tickets: 3, contacts: 4 })
  })
  assert.deepEqual(events, [])
  assert.deepEqual(await countAll(), before)
  assert.equal((await api.get(path)).status, 404)
  assert.equal((await api.get(`/tickets/${live.id}`)).body.messages_count, 1)
  assert.equal((await db`select from stray_objects where due_at <= now()`).count, 1)
})

test('a file that no message has received is deleted', async () => {
  const deps = { ...server, storages: createStorages(server) }
  const file = { projectId: acme.id, source: importSource, source_id: unique(), filename: 'a.txt' }
  const id = await importFile(deps, file, () => Readable.from(Buffer.from('Words')))
  assert.equal((await db`select from media where id = ${id}`).count, 1)
  assert.partialDeepStrictEqual(await removeAll(), { state: 'removing', files: 1 })
  assert.equal((await db`select from media where id = ${id}`).count, 0)
  assert.equal((await api.get(path)).status, 404)
})

test('a ticket with later messages is kept and counted, and is deleted with force', async () => {
  const [kept, gone] = await importTickets(oldTicket(), oldTicket())
  await makeMessage(api, kept.id, { content: 'Later' })
  await removeAll()
  assert.equal((await api.get(`/tickets/${gone.id}`)).status, 404)
  assert.equal((await api.get(`/tickets/${kept.id}`)).body.messages_count, 3)
  assert.partialDeepStrictEqual((await api.get(path)).body, {
    state: 'open',
    kept: 1,
    tickets: 1,
    messages: 2,
  })
  await removeAll('?force=true')
  assert.equal((await api.get(`/tickets/${kept.id}`)).status, 404)
  assert.equal((await api.get(path)).status, 404)
})

test('contacts with other tickets are kept, and matched contacts are never touched', async () => {
  const [known, made] = [`${unique()}@example.com`, `${unique()}@example.com`]
  const live = await makeTicket(api, { contact: { email: known } })
  await importTickets(
    oldTicket({ contact: { source_id: 'known', email: known } }),
    oldTicket({ contact: { source_id: 'made', email: made } }),
  )
  const later = await makeTicket(api, { contact: { email: made } })
  await removeAll()
  for (const ticket of [live, later])
    assert.equal((await api.get(`/contacts/${ticket.contact_id}`)).status, 200)
  assert.equal((await api.get(path)).status, 404)
})

test('a contact who only wrote in the ticket of another one is deleted, and the message keeps the name', async () => {
  const [ben] = await importItems(api, 'contacts', [
    { source_id: 'ben', email: `${unique()}@example.com`, full_name: 'Ben' },
  ])
  const messages = [oldMessage(unique(), { author: { type: 'contact', source_id: 'ben' } })]
  const [kept] = await importTickets(oldTicket({ messages }))
  await makeMessage(api, kept.id, { content: 'Later' })
  await removeAll()
  assert.equal((await api.get(`/contacts/${ben.id}`)).status, 404)
  const { items } = (await api.get(`/tickets/${kept.id}/messages`)).body
  assert.equal(items[0].sender_name, 'Ben')
  await removeAll('?force=true')
})

test('imported messages that were moved to another ticket are deleted from it', async () => {
  const contact = { source_id: 'ann', email: `${unique()}@example.com` }
  const live = await makeTicket(api, { contact: { email: contact.email }, content: 'Live' })
  const [imported] = await importTickets(oldTicket({ contact }))
  await api.post(`/tickets/${imported.id}/merge`, { into_ticket_id: live.id })
  assert.equal((await api.get(`/tickets/${live.id}`)).body.messages_count, 4)
  await removeAll()
  const ticket = (await api.get(`/tickets/${live.id}`)).body
  assert.deepEqual([ticket.messages_count, ticket.last_message.preview], [2, 'Live'])
})

test('nothing can be imported under a name while its import is being removed, and Rival cannot remove it', async () => {
  await importTickets(oldTicket())
  const unknown = await outsider.request('DELETE', path)
  assert.deepEqual([unknown.status, unknown.body.error_code], [404, 'IMPORT_NOT_FOUND'])
  await api.request('DELETE', path)
  const refused = await api.post(`${path}/tickets`, { items: [oldTicket()] })
  assert.deepEqual([refused.status, refused.body.error_code], [409, 'IMPORT_REMOVING'])
  assert.equal((await importItems(outsider, 'tickets', [oldTicket()]))[0].status, 'created')
  while ((await continueRemovals(db, acme.id)) > 0);
  assert.equal((await db`select from tickets where project_id = ${rival.id}`).count, 1)
  assert.equal((await db`select from imports where project_id = ${rival.id}`).count, 1)
})

test('a removal continues after a crash', async () => {
  await importTickets(...Array.from({ length: 100 }, () => oldTicket()))
  await importTickets(...Array.from({ length: 50 }, () => oldTicket()))
  await api.request('DELETE', path)
  await continueRemovals(db, acme.id)
  assert.partialDeepStrictEqual((await api.get(path)).body, { state: 'removing', tickets: 50 })
  const { count } = await db`select from due_work where project_id = ${acme.id} and kind = 'imports'`
  assert.equal(count, 1)
  while ((await continueRemovals(db, acme.id)) > 0);
  assert.equal((await api.get(path)).status, 404)
})
