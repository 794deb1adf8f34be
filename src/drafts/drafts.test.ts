import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile, makeTicket, nobody } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, db, acme, rival } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const draftOf = ({ id }: { id: string }, who = omar) => {
  const path = `/tickets/${id}/draft`
  return {
    put: (fields: object) => who.api.put(path, { content: 'Dear', version: 0, ...fields }),
    read: async () => (await who.api.get(path)).body,
    drop: (query = '') => who.api.delete(path + query),
  }
}

test('drafts of a reply and of a note are separate, for each person and ticket', async () => {
  const ticket = await makeTicket(api)
  const draft = draftOf(ticket)
  assert.deepEqual(await draft.read(), { reply: null, note: null })
  const file = await makeFile(db, acme)
  assert.equal((await draft.put({ media_ids: [file] })).body.version, 1)
  await draft.put({ content: 'Hm', is_internal: true, mentions: [olga.id] })
  const { reply, note } = await draft.read()
  assert.deepEqual([reply.content, reply.media[0].id, reply.content_format], ['Dear', file, 'markdown'])
  assert.deepEqual([note.content, note.mentions], ['Hm', [olga.id]])
  assert.deepEqual(await draftOf(ticket, olga).read(), { reply: null, note: null })
  assert.equal((await draft.drop()).status, 204)
  assert.equal((await draft.drop()).status, 204)
  assert.partialDeepStrictEqual(await draft.read(), { reply: null, note: { content: 'Hm' } })
})

test('the files of a draft are kept longer than unused files', async () => {
  const file = await makeFile(db, acme)
  await db`update media set expires_at = now() + interval '1 hour' where id = ${file}`
  await draftOf(await makeTicket(api)).put({ media_ids: [file] })
  const [row] =
    await db`select expires_at > now() + interval '20 days' as is_kept from media where id = ${file}`
  assert.equal(row!.is_kept, true)
})

test('if several tabs save one draft, only the first succeeds; another one overwrites it only with force', async () => {
  const draft = draftOf(await makeTicket(api))
  const answers = await Promise.all([1, 2, 3, 4].map(n => draft.put({ content: `Tab ${n}` })))
  const kept = answers.filter(({ status }) => status === 200)
  assert.equal(kept.length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) assertBrief(answer, 412)
  assert.equal((await draft.read()).reply.content, kept[0]!.body.content)
  assert.equal((await draft.put({ content: 'On', version: 1 })).body.version, 2)
  assertBrief(await draft.put({ content: 'Late', version: 1 }), 412)
  assert.equal((await draft.put({ content: 'Mine', version: 1, force: true })).body.version, 3)
  assert.equal((await draft.read()).reply.content, 'Mine')
})

test('sending a message deletes its draft, and another tab cannot bring it back', async () => {
  const ticket = await makeTicket(api)
  const draft = draftOf(ticket)
  await draft.put({})
  await draft.put({ is_internal: true })
  await omar.api.post(`/tickets/${ticket.id}/messages`, { content: 'Dear', undo_seconds: 10 })
  assert.partialDeepStrictEqual(await draft.read(), { reply: null, note: { content: 'Dear' } })
  assertBrief(await draft.put({ content: 'Dear A', version: 1 }), 412)
})

test('a refused reply keeps its draft', async () => {
  const ticket = await makeTicket(api)
  const draft = draftOf(ticket)
  await draft.put({})
  const refused = await omar.api.post(`/tickets/${ticket.id}/messages`, { content: 'x', media_ids: [nobody] })
  assert.equal(refused.status, 422)
  assert.equal((await draft.read()).reply.content, 'Dear')
})

test('a draft may be empty, and is at most as large as a message', async () => {
  const draft = draftOf(await makeTicket(api))
  assert.equal((await draft.put({ content: '' })).status, 200)
  assertProblems(await draft.put({ content: 'x'.repeat(65_537), version: 1 }), 'body.content:string_too_long')
  assertProblems(await draft.put({ version: undefined }), 'body.version:missing')
})

test("Rival cannot read, write or delete a draft of Acme, and Rival's files cannot be attached to it", async () => {
  const ticket = await makeTicket(api)
  await draftOf(ticket).put({})
  const theirs = draftOf(ticket, rita)
  assertEnvelope(await theirs.put({}), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await theirs.drop(), 404, 'TICKET_NOT_FOUND')
  assert.equal((await theirs.read()).error_code, 'TICKET_NOT_FOUND')
  const media_ids = [await makeFile(db, rival)]
  assertEnvelope(await draftOf(ticket).put({ media_ids, version: 1 }), 422, 'VALIDATION_ERROR', {
    field: 'media_ids',
  })
  assert.equal((await draftOf(ticket).read()).reply.version, 1)
})
