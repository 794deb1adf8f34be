import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeFile, makeTicket, nobody } from '../../test/cast.ts'
import { assertBrief, assertEnvelope, assertProblems } from '../../test/client.ts'
import { openTab, untilFrame } from '../../test/live.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, db, acme, rival, outsider } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const pathOf = (ticket: { id: string }, person: { id: string }) => `/tickets/${ticket.id}/drafts/${person.id}`

test('a program prepares a reply that the operator reads, changes and sends as their own', async () => {
  const ticket = await makeTicket(api)
  const file = await makeFile(db, acme)
  const prepared = await api.put(pathOf(ticket, omar), { content: 'Dear **Ann**', media_ids: [file] })
  assert.equal(prepared.status, 200)
  assert.partialDeepStrictEqual(prepared.body, {
    ...{ operator_id: omar.id, content: 'Dear **Ann**', content_format: 'markdown', version: 1 },
    media: [{ id: file }],
  })
  const own = (await omar.api.get(`/tickets/${ticket.id}/draft`)).body.reply
  assert.deepEqual([own.content, own.version, own.media[0].id], ['Dear **Ann**', 1, file])
  await omar.api.put(`/tickets/${ticket.id}/draft`, { content: 'Dear Ann, hello', version: 1 })
  const { items } = (await api.get(`/tickets/${ticket.id}/drafts`)).body
  assert.deepEqual(
    items.map((item: { operator_id: string; content: string; version: number }) => [
      item.operator_id,
      item.content,
      item.version,
    ]),
    [[omar.id, 'Dear Ann, hello', 2]],
  )
  const sent = await omar.api.post(`/tickets/${ticket.id}/messages`, { content: 'Dear Ann, hello' })
  assert.deepEqual([sent.status, sent.body.sender_id], [201, omar.id], sent.text)
  assert.deepEqual((await api.get(`/tickets/${ticket.id}/drafts`)).body, { items: [] })
})

test('a program overwrites what an operator has typed only with force', async () => {
  const ticket = await makeTicket(api)
  await omar.api.put(`/tickets/${ticket.id}/draft`, { content: 'My own', version: 0 })
  assertBrief(await api.put(pathOf(ticket, omar), { content: 'Better' }), 412)
  assert.equal((await omar.api.get(`/tickets/${ticket.id}/draft`)).body.reply.content, 'My own')
  const forced = await api.put(pathOf(ticket, omar), { content: 'Better', force: true })
  assert.deepEqual([forced.status, forced.body.version], [200, 2])
  assert.equal((await api.put(pathOf(ticket, omar), { content: 'Best', version: 2 })).body.version, 3)
})

test('a prepared reply does not affect notes or the drafts of other operators', async () => {
  const ticket = await makeTicket(api)
  await omar.api.put(`/tickets/${ticket.id}/draft`, { content: 'A note', version: 0, is_internal: true })
  await api.put(pathOf(ticket, olga), { content: 'For Olga' })
  await api.put(pathOf(ticket, omar), { content: 'For Omar' })
  assert.equal((await api.delete(pathOf(ticket, omar))).status, 204)
  assert.equal((await api.delete(pathOf(ticket, omar))).status, 204)
  const { body } = await api.get(`/tickets/${ticket.id}/drafts`)
  assert.deepEqual(
    body.items.map((item: { operator_id: string }) => item.operator_id),
    [olga.id],
  )
  const { reply, note } = (await omar.api.get(`/tickets/${ticket.id}/draft`)).body
  assert.deepEqual([reply, note.content], [null, 'A note'])
})

test('a prepared reply reloads the draft only in the tabs of its operator', async () => {
  const origin = new URL(server.url).origin
  const ticket = await makeTicket(api)
  const tabs = [
    await openTab(origin, omar, acme),
    await openTab(origin, olga, acme),
    await openTab(origin, rita, rival),
  ]
  for (const tab of tabs) await untilFrame(tab, 'ready')
  await api.put(pathOf(ticket, omar), { content: 'Prepared' })
  await untilFrame(tabs[0]!, 'draft')
  await api.delete(pathOf(ticket, olga))
  await untilFrame(tabs[1]!, 'draft')
  assert.deepEqual(
    tabs.map(tab => tab.frames.filter(({ event }) => event === 'draft').length),
    [1, 1, 0],
  )
  for (const tab of tabs) tab.close()
})

test('tickets, operators and files that are unknown or of another project are rejected', async () => {
  const ticket = await makeTicket(api)
  const theirs = await makeTicket(outsider)
  assertEnvelope(await api.put(pathOf(theirs, omar), { content: 'x' }), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await api.get(`/tickets/${theirs.id}/drafts`), 404, 'TICKET_NOT_FOUND')
  for (const id of [rita.id, nobody, 'x']) {
    assertBrief(await api.put(pathOf(ticket, { id }), { content: 'x' }), 404)
    assertBrief(await api.delete(pathOf(ticket, { id })), 404)
  }
  const media_ids = [await makeFile(db, rival)]
  assertEnvelope(await api.put(pathOf(ticket, omar), { content: 'x', media_ids }), 422, 'VALIDATION_ERROR', {
    field: 'media_ids',
    reason: 'not_found',
    ids: media_ids,
  })
  assertProblems(await api.put(pathOf(ticket, omar), {}), 'body.content:missing')
  assert.deepEqual((await api.get(`/tickets/${ticket.id}/drafts`)).body, { items: [] })
})
