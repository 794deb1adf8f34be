import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeTicket, unique } from '../../test/cast.ts'
import { makeChannel, type Program } from '../../test/custom-channel.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'

const server = await startServer({ delivers: false })
const { api, db } = server
let omar: Person
let program: Program

before(async () => {
  const { olga, ...others } = await joinCast(server)
  omar = others.omar
  program = await makeChannel(olga.api, api)
})
after(() => server.close())

const read = async (id: string) => (await api.get(`/tickets/${id}`)).body

test('closing the ticket in any way ends the wait, and reopening does not restore it', async () => {
  const closings = [
    (id: string) => api.post(`/tickets/${id}/close`),
    (id: string) => api.patch(`/tickets/${id}`, { status: 'closed' }),
    (id: string) => omar.api.post('/tickets/bulk', { ticket_ids: [id], action: 'close' }),
  ]
  for (const close of closings) {
    const { id, waiting_since } = await makeTicket(api, { content: 'Help' })
    assert.notEqual(waiting_since, null)
    const { status, text } = await close(id)
    assert.equal(status, 200, text)
    assert.deepEqual([(await read(id)).status, (await read(id)).waiting_since], ['closed', null])
    await api.post(`/tickets/${id}/reopen`)
    assert.deepEqual([(await read(id)).status, (await read(id)).waiting_since], ['open', null])
  }
})

test('a contact who writes after the closing waits from that message on, even after a split', async () => {
  const person = unique()
  const first = (await program.post(person, 'First')).body
  await program.post(person, 'Before')
  await api.post(`/tickets/${first.ticket_id}/close`)
  const second = (await program.post(person, 'Again')).body
  assert.equal(second.ticket_id, first.ticket_id)
  assert.equal((await read(first.ticket_id)).waiting_since, second.created_at)
  const split = await omar.api.post(`/tickets/${first.ticket_id}/split`, { message_ids: [first.id] })
  assert.equal(split.status, 201, split.text)
  assert.equal((await read(first.ticket_id)).waiting_since, second.created_at)
})

test('after a merge, a ticket has no reply from before it was created', async () => {
  const contact = { email: `${unique()}@example.com` }
  const old = await makeTicket(api, { contact, content: 'Old' })
  await omar.api.post(`/tickets/${old.id}/messages`, { content: 'Reply' })
  const young = await makeTicket(api, { contact, content: 'Young' })
  await api.post(`/tickets/${old.id}/merge`, { into_ticket_id: young.id })
  assert.equal((await read(young.id)).first_reply_at, null)
  const later = await makeTicket(api, { contact, content: 'Later' })
  await omar.api.post(`/tickets/${young.id}/messages`, { content: 'Second reply' })
  const { first_reply_at } = await read(young.id)
  assert.notEqual(first_reply_at, null)
  const early = await makeTicket(api, { contact, content: 'Early' })
  await db`update tickets set created_at = created_at - interval '1 hour' where id = ${early.id}`
  await api.post(`/tickets/${young.id}/merge`, { into_ticket_id: early.id })
  assert.ok((await read(early.id)).first_reply_at < first_reply_at)
  await api.post(`/tickets/${early.id}/merge`, { into_ticket_id: later.id })
  assert.equal((await read(later.id)).first_reply_at, first_reply_at)
})

test('a closed ticket does not start waiting when a waiting ticket is merged into it', async () => {
  const contact = { email: `${unique()}@example.com` }
  const [closed, waiting] = [
    await makeTicket(api, { contact, content: 'Closed' }),
    await makeTicket(api, { contact, content: 'Waiting' }),
  ]
  await api.post(`/tickets/${closed.id}/close`)
  await api.post(`/tickets/${waiting.id}/merge`, { into_ticket_id: closed.id })
  assert.deepEqual([(await read(closed.id)).status, (await read(closed.id)).waiting_since], ['closed', null])
})

test('undoing a closing restores the wait', async () => {
  const { id, waiting_since } = await makeTicket(api, { content: 'Help' })
  await api.post(`/tickets/${id}/close`)
  const [change] = (await api.get(`/tickets/${id}/history`)).body.items
  assert.equal((await api.post(`/tickets/${id}/undo`, { id: change.id })).status, 200)
  assert.equal((await read(id)).waiting_since, waiting_since)
  await api.post(`/tickets/${id}/close`)
  await api.post(`/tickets/${id}/reopen`)
  await api.post(`/tickets/${id}/close`)
  const [second] = (await api.get(`/tickets/${id}/history`)).body.items
  await api.post(`/tickets/${id}/undo`, { id: second.id })
  assert.deepEqual([(await read(id)).status, (await read(id)).waiting_since], ['open', null])
})

const waitOf = async (id: string): Promise<string | null> => (await read(id)).waiting_since

test('after a merge the contact has waited as long as in either ticket, and undoing it restores both waits', async () => {
  const contact = { email: `${unique()}@example.com` }
  const [old, young] = [
    await makeTicket(api, { contact, content: 'Old' }),
    await makeTicket(api, { contact, content: 'Young' }),
  ]
  await api.post(`/tickets/${old.id}/merge`, { into_ticket_id: young.id })
  assert.deepEqual([await waitOf(young.id), await waitOf(old.id)], [old.waiting_since, null])
  assert.equal((await omar.api.post(`/tickets/${old.id}/unmerge`)).status, 200)
  assert.deepEqual([await waitOf(young.id), await waitOf(old.id)], [young.waiting_since, old.waiting_since])
})

test('undoing a merge does not begin the wait of a closed ticket that was merged before', async () => {
  const contact = { email: `${unique()}@example.com` }
  const answered = await makeTicket(api, { contact, content: 'Answered' })
  await omar.api.post(`/tickets/${answered.id}/messages`, { content: 'Reply', can_undo: false })
  const closed = await makeTicket(api, { contact, content: 'Closed without an answer' })
  const waiting = await makeTicket(api, { contact, content: 'Waiting' })
  await api.post(`/tickets/${closed.id}/close`)
  for (const { id } of [closed, waiting])
    assert.equal((await api.post(`/tickets/${id}/merge`, { into_ticket_id: answered.id })).status, 200)
  assert.equal(await waitOf(answered.id), waiting.waiting_since)
  assert.equal((await omar.api.post(`/tickets/${waiting.id}/unmerge`)).status, 200)
  assert.deepEqual([await waitOf(answered.id), await waitOf(waiting.id)], [null, waiting.waiting_since])
})

test('messages that are split off take their wait with them', async () => {
  const person = unique()
  const first = (await program.post(person, 'First')).body
  await omar.api.post(`/tickets/${first.ticket_id}/messages`, { content: 'Reply', can_undo: false })
  const second = (await program.post(person, 'Second')).body
  assert.equal(await waitOf(first.ticket_id), second.created_at)
  const split = await omar.api.post(`/tickets/${first.ticket_id}/split`, { message_ids: [second.id] })
  assert.equal(split.body.waiting_since, second.created_at)
  assert.equal(await waitOf(first.ticket_id), null)
})

const close = (id: string) => api.post(`/tickets/${id}/close`)

/** Undoes the newest change of the ticket's status. */
async function undoStatus(id: string): Promise<void> {
  const { items } = (await api.get(`/tickets/${id}/history`)).body
  const isOfStatus = ({ changes }: { changes: { field: string }[] }) =>
    changes.some(({ field }) => field === 'status')
  const { status, text } = await api.post(`/tickets/${id}/undo`, { id: items.find(isOfStatus).id })
  assert.equal(status, 200, text)
}

/** A waiting ticket was merged into one that was answered later. Nobody has answered the contact's message in it. */
async function mergeWaiting(contact = { email: `${unique()}@example.com` }) {
  const waiting = await makeTicket(api, { contact, content: 'Waiting' })
  const answered = await makeTicket(api, { contact, content: 'Answered' })
  await omar.api.post(`/tickets/${answered.id}/messages`, { content: 'Reply', can_undo: false })
  await api.post(`/tickets/${waiting.id}/merge`, { into_ticket_id: answered.id })
  assert.equal(await waitOf(answered.id), waiting.waiting_since)
  return { contact, waiting, answered }
}

test('after a merge, undoing a closing restores the wait', async () => {
  const { waiting, answered } = await mergeWaiting()
  await close(answered.id)
  await undoStatus(answered.id)
  assert.equal(await waitOf(answered.id), waiting.waiting_since)
  await undoStatus(answered.id)
  assert.equal(await waitOf(answered.id), null)
  await undoStatus(answered.id)
  assert.equal(await waitOf(answered.id), waiting.waiting_since)
})

test('undoing the closing of a merge restores the wait that an earlier merge brought', async () => {
  const { contact, waiting, answered } = await mergeWaiting()
  const last = await makeTicket(api, { contact, content: 'Last' })
  await api.post(`/tickets/${answered.id}/merge`, { into_ticket_id: last.id })
  assert.equal(await waitOf(last.id), waiting.waiting_since)
  await omar.api.post(`/tickets/${answered.id}/unmerge`)
  assert.deepEqual(
    [await waitOf(answered.id), await waitOf(last.id)],
    [waiting.waiting_since, last.waiting_since],
  )
})

test('undoing the closing of a merge restores the wait that an earlier merge had brought to the target', async () => {
  const contact = { email: `${unique()}@example.com` }
  const oldest = await makeTicket(api, { contact, content: 'Oldest' })
  const { waiting, answered } = await mergeWaiting(contact)
  await api.post(`/tickets/${oldest.id}/merge`, { into_ticket_id: answered.id })
  assert.equal(await waitOf(answered.id), oldest.waiting_since)
  await close(answered.id)
  await omar.api.post(`/tickets/${oldest.id}/unmerge`)
  assert.deepEqual([await waitOf(oldest.id), await waitOf(answered.id)], [oldest.waiting_since, null])
  await undoStatus(answered.id)
  assert.equal(await waitOf(answered.id), waiting.waiting_since)
})

test('a wait that ended before a merge does not begin again when a later closing is undone', async () => {
  const person = unique()
  const first = (await program.post(person, 'First')).body
  await close(first.ticket_id)
  const second = (await program.post(person, 'Second')).body
  const { contact_id } = await read(first.ticket_id)
  const target = await makeTicket(api, { contact_id })
  await api.post(`/tickets/${first.ticket_id}/merge`, { into_ticket_id: target.id, force: true })
  await close(target.id)
  await undoStatus(target.id)
  assert.equal(await waitOf(target.id), second.created_at)
})

test('a waiting ticket that was merged into a closed one waits again when the closing is undone', async () => {
  const contact = { email: `${unique()}@example.com` }
  const waiting = await makeTicket(api, { contact, content: 'Waiting' })
  const closed = await makeTicket(api, { contact, content: 'Closed' })
  await omar.api.post(`/tickets/${closed.id}/messages`, { content: 'Reply', can_undo: false })
  await close(closed.id)
  await api.post(`/tickets/${waiting.id}/merge`, { into_ticket_id: closed.id })
  await undoStatus(closed.id)
  assert.equal(await waitOf(closed.id), waiting.waiting_since)
})

test('a contact who was answered while the ticket was closed does not wait after the closing is undone', async () => {
  const { id } = await makeTicket(api, { content: 'Help' })
  await close(id)
  await omar.api.post(`/tickets/${id}/messages`, { content: 'Reply', can_undo: false })
  await undoStatus(id)
  assert.deepEqual([(await read(id)).status === 'closed', await waitOf(id)], [false, null])
})

test('a wait whose message was split off a closed ticket does not return when the closing is undone', async () => {
  const person = unique()
  const first = (await program.post(person, 'First')).body
  const second = (await program.post(person, 'Second')).body
  await close(first.ticket_id)
  const split = await omar.api.post(`/tickets/${first.ticket_id}/split`, { message_ids: [first.id] })
  assert.equal(split.status, 201, split.text)
  await undoStatus(first.ticket_id)
  assert.equal(await waitOf(first.ticket_id), second.created_at)
})
