import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limitTickets, makeContact, makeTicket, unique } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { openTab, type Tab, untilFrame, untilPresence } from '../../../test/live.ts'
import type { Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { ask, begin, open, originOf, reply, signIn, startDesk, switchOn } from '../../../test/widget.ts'
import { newId } from '../../core/ids.ts'
import { sendDueMessages } from '../../tickets/tickets.ts'

let server: TestServer
let omar: Person
before(async () => {
  ;({ server, omar } = await startDesk())
})
after(() => server.close())

const said = ({ frames }: Tab): string[] =>
  frames.filter(({ event }) => event === 'message').map(({ data }) => data.preview)

const untilSaid = (tab: Tab, preview: string) =>
  untilFrame(tab, 'message', ({ data }) => data.preview === preview)

test("an operator's reply arrives in the visitor's chat with its ticket before it, and in no other chat", async () => {
  const [guest, other] = [await begin(server), await begin(server)]
  const [ticket, theirs] = [await ask(guest), await ask(other)]
  const [tab, foreign] = [await open(server, guest), await open(server, other)]
  const message = await reply(omar, ticket.id, 'Here it is')
  await reply(omar, theirs.id, 'For the other')
  const frame = await untilSaid(tab, 'Here it is')
  assert.deepEqual(frame.data, (await guest.api.get(`/tickets/${ticket.id}/messages`)).body.items.at(-1))
  assert.equal(frame.data.id, message.id)
  assert.deepEqual(tab.frames.find(({ event }) => event === 'ticket')!.data.unread_count, 1)
  await untilSaid(foreign, 'For the other')
  assert.deepEqual([said(tab), said(foreign)], [['Here it is'], ['For the other']])
  tab.close()
  foreign.close()
})

test('notes, system messages, scheduled replies and internal changes appear in no response and no frame', async () => {
  const guest = await signIn(server, { id: unique() })
  const { id } = await ask(guest)
  const tab = await open(server, guest)
  const note = await reply(omar, id, 'SECRET note', { is_internal: true })
  await omar.api.patch(`/messages/${note.id}`, { content: 'SECRET edit' })
  await omar.api.put(`/messages/${note.id}/reactions/${encodeURIComponent('🎉')}`)
  await reply(omar, id, 'SECRET later', { send_at: '2099-01-01T00:00:00' })
  await omar.api.put(`/tickets/${id}/drafts`, { content: 'SECRET draft', is_internal: false })
  await server.api.post(`/tickets/${id}/close`, { comment: 'SECRET comment' })
  await server.api.post(`/tickets/${id}/reopen`)
  await reply(omar, id, 'Public')
  await untilSaid(tab, 'Public')
  const answers = await Promise.all(
    ['', `/${id}`, `/${id}/messages`].map(path => guest.api.get(`/tickets${path}`)),
  )
  const seen = [...answers.map(({ text }) => text), JSON.stringify(tab.frames)].join('\n')
  for (const hidden of ['SECRET', 'Ticket closed', 'Ticket reopened', '"system"', note.id])
    assert.ok(!seen.includes(hidden), hidden)
  assert.deepEqual(said(tab), ['Public'])
  assertEnvelope(
    await guest.api.put(`/tickets/${id}/messages/${note.id}/reactions/%F0%9F%91%8D`),
    404,
    'MESSAGE_NOT_FOUND',
  )
  const answer = await guest.api.post(`/tickets/${id}/messages`, { content: 'x', reply_to_id: note.id })
  assertEnvelope(answer, 404, 'MESSAGE_NOT_FOUND')
  tab.close()
})

test('a delayed reply arrives in the chat when it is sent', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const tab = await open(server, guest)
  await reply(omar, id, 'In a moment', { undo_seconds: 30 })
  await reply(omar, id, 'First')
  await untilSaid(tab, 'First')
  await server.db`update messages set send_at = now() where ticket_id = ${id} and send_at is not null`
  await sendDueMessages(server.db, server.acme.id)
  await untilSaid(tab, 'In a moment')
  assert.deepEqual(said(tab), ['First', 'In a moment'])
  tab.close()
})

test('an edit or a reaction sends the current message again', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const message = await reply(omar, id, 'Teh answer')
  const tab = await open(server, guest)
  await omar.api.patch(`/messages/${message.id}`, { content: 'The answer' })
  assert.ok((await untilSaid(tab, 'The answer')).data.edited_at)
  await guest.api.put(`/tickets/${id}/messages/${message.id}/reactions/${encodeURIComponent('👍')}`)
  await untilFrame(tab, 'message', ({ data }) => data.reactions.length === 1)
  tab.close()
})

test('a client that reconnects with the last number gets each missed event once', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const first = await open(server, guest)
  await reply(omar, id, 'One')
  const { id: seq } = await untilSaid(first, 'One')
  first.close()
  for (const content of ['Two', 'Three', 'Four']) await reply(omar, id, content)
  const second = await open(server, guest, `&after=${seq}`)
  assert.deepEqual(said(second), ['Two', 'Three', 'Four'])
  second.close()
  await server.db`delete from events where project_id = ${server.acme.id} and seq <= ${seq! + 2}`
  const third = await open(server, guest, `&after=${seq}`)
  assert.ok(third.frames.some(({ event }) => event === 'gap'))
  third.close()
})

test('typing is shown in both directions, but not while an operator writes a note', async () => {
  const guest = await begin(server)
  const { id } = await ask(guest)
  const tab = await open(server, guest)
  const desk = await openTab(originOf(server), omar, server.acme)
  const show = (more: object) =>
    omar.api.post('/presence', { tab: desk.tab, ticket_id: id, is_typing: true, ...more })
  await show({ is_internal: true })
  await untilPresence(desk, ({ tickets }) => tickets.some(one => one.ticket_id === id && one.is_internal))
  await show({ is_internal: false })
  await untilFrame(tab, 'typing', ({ data }) => data.is_typing)
  assert.deepEqual(
    tab.frames.filter(({ event }) => event === 'typing').map(({ data }) => data),
    [{ ticket_id: id, name: 'Omar', is_typing: true }],
  )
  await show({ is_typing: false })
  await untilFrame(tab, 'typing', ({ data }) => !data.is_typing)
  await guest.api.post('/presence', { tab: tab.tab, is_watching: true, ticket_id: id })
  await guest.api.post(`/tickets/${id}/typing`, { tab: tab.tab, is_typing: true })
  await untilPresence(desk, ({ visitors }) => visitors.some(one => one.ticket_id === id && one.is_typing))
  tab.close()
  await untilPresence(desk, ({ visitors }) => visitors.every(one => one.ticket_id !== id))
  desk.close()
})

test('a client that reconnects gets the events of its own ticket, even after many events of others', async () => {
  await limitTickets(server.db, server.acme, 1_000)
  const guest = await begin(server)
  const { id } = await ask(guest)
  const tab = await open(server, guest)
  const { last_seq } = (await untilFrame(tab, 'ready')).data
  tab.close()
  const sent = await reply(omar, id, 'Here it is')
  for (let n = 0; n < 101; n++) await makeTicket(server.api)
  const again = await open(server, guest, `&after=${last_seq}`)
  assert.deepEqual(
    again.frames.filter(({ event }) => event === 'message').map(({ data }) => data.id),
    [sent.id],
  )
  again.close()
})

test('a stream ends when its token is deleted and when the widget is turned off', async () => {
  const [leaving, staying] = [await begin(server), await begin(server)]
  const [first, second] = [await open(server, leaving), await open(server, staying)]
  await leaving.api.delete('/session')
  await untilFrame(first, 'end')
  await first.ended
  await switchOn(server, server.acme, { is_on: false })
  await untilFrame(second, 'end')
  assertEnvelope(await staying.api.get('/tickets'), 403, 'WIDGET_OFF')
  await switchOn(server, server.acme)
})

test('accepts presence only from an open tab, for tickets that the visitor may see', async () => {
  const guest = await begin(server)
  const show = (tab: string, ticket_id: string | null) =>
    guest.api.post('/presence', { tab, is_watching: true, ticket_id })
  assertEnvelope(await show(newId(), null), 404, 'TAB_NOT_OPEN')
  const tab = await open(server, guest)
  const theirs = await ask(await begin(server))
  assertEnvelope(await show(tab.tab, theirs.id), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await show('no id', null), 422, 'VALIDATION_ERROR', { field: 'tab' })
  tab.close()
})

test('merging contacts keeps the visitors of the merged contact', async () => {
  const guest = await signIn(server, { id: unique() })
  const ticket = await ask(guest)
  const tab = await open(server, guest)
  const { contact_id } = (await server.api.get(`/tickets/${ticket.id}`)).body
  const target = await makeContact(server.api)
  await server.api.post(`/contacts/${contact_id}/merge`, { into_contact_id: target.id })
  await untilFrame(tab, 'end')
  assert.equal((await guest.api.get(`/tickets/${ticket.id}`)).status, 200)
})
