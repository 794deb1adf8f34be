import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, makeMessage, makeTicket, unique } from '../../../test/cast.ts'
import { joinCast, joinProject, type Person } from '../../../test/operator.ts'
import { startServer } from '../../../test/server.ts'
import { ask, begin, switchOn } from '../../../test/widget.ts'
import { applyTagChanges } from '../../tags/tags.ts'
import { closeForgottenTickets, sendDueMessages, wakeTickets } from '../tickets.ts'

/** Changes that do not come from PATCH are in the history too. */

const server = await startServer({ delivers: false })
const { api, db, acme } = server
let olga: Person
let omar: Person

before(async () => {
  ;({ olga, omar } = await joinCast(server))
})
after(() => server.close())

/** The newest change: its author, and its fields with the values before and after. */
async function newest(id: string) {
  const [{ by, changes, type }] = (await api.get(`/tickets/${id}/history?limit=1`)).body.items
  const fields = changes.map(({ field, from, to, added, removed }: Record<string, unknown>) => [
    field,
    ...(added ? [{ added, removed }] : [from, to]),
  ])
  return {
    type,
    by: by.name ?? by.type,
    fields: Object.fromEntries(fields.map(([name, ...rest]: unknown[]) => [name, rest])),
  }
}

const fieldsOf = async (id: string) => (await newest(id)).fields

test("an operator's reply changes the status and the assignment in one change", async () => {
  await olga.api.patch('/inbox-settings', { after_reply: 'pending', assigns_on_reply: true })
  const { id } = await makeTicket(api)
  await omar.api.post(`/tickets/${id}/messages`, { content: 'Hello', undo_seconds: 0 })
  assert.deepEqual(await newest(id), {
    type: 'ticket.assigned',
    by: 'Omar',
    fields: { status: ['new', 'pending'], operator_id: [null, omar.id] },
  })
})

test('a delayed reply changes the ticket when it is sent, and its writer is the author of the change', async () => {
  const { id } = await makeTicket(api)
  const sent = await omar.api.post(`/tickets/${id}/messages`, { content: 'Later', undo_seconds: 30 })
  assert.equal((await newest(id)).type, 'ticket.created')
  await db`update messages set send_at = now() - interval '1 s' where project_id = ${acme.id} and id = ${sent.body.id}`
  await sendDueMessages(db, acme.id)
  const { by, fields } = await newest(id)
  assert.deepEqual([by, fields.status], ['Omar', ['new', 'pending']])
})

test('an internal note and a message from a program change nothing', async () => {
  const { id } = await makeTicket(api)
  await omar.api.post(`/tickets/${id}/messages`, { content: 'Note', is_internal: true })
  await makeMessage(api, id)
  assert.equal((await newest(id)).type, 'ticket.created')
})

test('a message from the contact reopens the ticket', async () => {
  await switchOn(server, acme)
  const guest = await begin(server)
  const { id } = await ask(guest)
  await api.post(`/tickets/${id}/close`)
  await guest.api.post(`/tickets/${id}/messages`, { content: 'Again' })
  const { type, by, fields } = await newest(id)
  assert.deepEqual([type, fields.status], ['ticket.reopened', ['closed', 'open']])
  assert.equal(by, 'contact')
})

test('the end of a snooze and an automatic closing are changes by the system', async () => {
  const { id } = await makeTicket(api, { status: 'open' })
  await api.patch(`/tickets/${id}`, { snoozed_until: '2099-01-01T00:00:00Z' })
  await db`update tickets set snoozed_until = now() - interval '1 s' where project_id = ${acme.id} and id = ${id}`
  await wakeTickets(db, acme.id)
  const awake = await newest(id)
  assert.deepEqual([awake.by, awake.fields.status], ['system', ['on_hold', 'open']])
  await api.patch(`/tickets/${id}`, { status: 'pending' })
  await db`update projects set auto_close_days = 1 where id = ${acme.id}`
  await db`update tickets set created_at = now() - interval '3 days' where project_id = ${acme.id} and id = ${id}`
  await closeForgottenTickets(db)
  await db`update projects set auto_close_days = null where id = ${acme.id}`
  const closed = await newest(id)
  assert.deepEqual(
    [closed.type, closed.by, closed.fields.status],
    ['ticket.closed', 'system', ['pending', 'closed']],
  )
})

test('an operator who leaves and a deleted department are recorded in open and closed tickets', async () => {
  const leaver = await joinProject(server, acme, { name: 'Lea' })
  // The first department is the default one, which cannot be deleted.
  const heir = await makeDepartment(db, acme, unique())
  const sales = await makeDepartment(db, acme, unique())
  const open = await makeTicket(api, { operator_id: leaver.id, department_id: sales.id })
  const closed = await makeTicket(api, { department_id: sales.id, status: 'closed' })
  await olga.api.delete(`/operators/${leaver.id}`)
  assert.deepEqual(await newest(open.id), {
    type: 'ticket.updated',
    by: 'Olga',
    fields: { operator_id: [leaver.id, null] },
  })
  assert.equal((await olga.api.delete(`/departments/${sales.id}`)).status, 204)
  for (const { id } of [open, closed]) {
    const { by, fields } = await newest(id)
    assert.deepEqual([by, fields.department_id], ['Olga', [sales.id, heir.id]])
  }
})

test("a renamed, merged or deleted tag is the admin's change in open and closed tickets", async () => {
  const [tag, other] = [unique(), unique()]
  const open = await makeTicket(api, { tags: [tag] })
  const closed = await makeTicket(api, { tags: [tag, other], status: 'closed' })
  const { items } = (await olga.api.get('/tags')).body
  const { id } = items.find(({ name }: { name: string }) => name === tag)
  const { id: otherId } = items.find(({ name }: { name: string }) => name === other)
  const apply = async () => {
    while (await applyTagChanges(db, acme.id));
  }
  const renamed = unique()
  await olga.api.patch(`/tags/${id}`, { name: renamed })
  await apply()
  for (const ticket of [open, closed])
    assert.deepEqual(await newest(ticket.id), {
      type: 'ticket.updated',
      by: 'Olga',
      fields: { tags: [{ added: [renamed], removed: [tag] }] },
    })
  await olga.api.post(`/tags/${id}/merge`, { into_tag_id: otherId })
  await apply()
  assert.deepEqual(await fieldsOf(open.id), { tags: [{ added: [other], removed: [renamed] }] })
  assert.deepEqual(await fieldsOf(closed.id), { tags: [{ added: [], removed: [renamed] }] })
  await olga.api.delete(`/tags/${otherId}`)
  await apply()
  assert.deepEqual(await fieldsOf(closed.id), { tags: [{ added: [], removed: [other] }] })
})

test('a merge and its undo are in the history of both tickets', async () => {
  const [source, target] = [await makeTicket(api), await makeTicket(api)]
  await omar.api.post(`/tickets/${source.id}/merge`, { into_ticket_id: target.id, force: true })
  const merged = await newest(source.id)
  assert.deepEqual([merged.by, merged.fields.merged_into_id], ['Omar', [null, target.id]])
  assert.deepEqual(merged.fields.status, ['new', 'closed'])
  assert.deepEqual(await fieldsOf(target.id), { merged_ticket_id: [null, source.id] })
  await omar.api.post(`/tickets/${source.id}/unmerge`)
  const restored = await fieldsOf(source.id)
  assert.deepEqual(
    [restored.merged_into_id, restored.status],
    [
      [target.id, null],
      ['closed', 'new'],
    ],
  )
  assert.deepEqual(await fieldsOf(target.id), { merged_ticket_id: [source.id, null] })
})
