import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listEvents, makeContact, makeTicket } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'
import { moveRemainingTickets } from './contacts.ts'

const server = await startServer({ delivers: false })
const { api, db, acme, rival } = server
after(() => server.close())

/** More tickets than a merge moves in one transaction. DESKBELL_TICKETS sets another number. */
const many = Number(process.env.DESKBELL_TICKETS ?? 1_200)

async function giveTickets(ticketId: string): Promise<void> {
  for (let from = 0; from < many; from += 5_000)
    await db`
      with made as (
        insert into tickets (project_id, id, number, subject, status, priority, channel, contact_id, created_at)
        select project_id, gen_random_uuid(), -number * 1000000 - ${from}::int - n, subject, status, priority, channel, contact_id, created_at
        from tickets, generate_series(1, least(5000, ${many - from}::int)) n
        where project_id = ${acme.id} and id = ${ticketId} returning project_id, id, created_at
      ) insert into ticket_activity (project_id, ticket_id, updated_at) select project_id, id, created_at from made`
}

test('merging a contact with many tickets responds before all have moved; the others follow, and each emits one event', async () => {
  const [from, into] = [await makeContact(api), await makeContact(api)]
  const ticket = await makeTicket(api, { contact: { email: from.email } })
  await giveTickets(ticket.id)
  const { seq } = (await listEvents(db, acme)).at(-1)!
  const merged = await api.post(`/contacts/${from.id}/merge`, { into_contact_id: into.id })
  assert.equal(merged.status, 200, merged.text)
  assert.ok(merged.body.tickets_count < many)
  const [due] = await db`select from due_work where project_id = ${acme.id} and kind = 'merges'`
  assert.ok(due)
  assert.equal(await moveRemainingTickets(db, rival.id), 0)
  while (await moveRemainingTickets(db, acme.id)) {}
  const emitted = (await listEvents(db, acme, seq)).filter(({ data }) => data.cause === 'contact_merged')
  assert.equal(new Set(emitted.map(({ data }) => data.ticket_id)).size, emitted.length)
  assert.equal(emitted.length, many + 1)
  assert.equal((await api.get(`/contacts/${from.id}`)).body.tickets_count, many + 1)
  const [left] = await db`
    select from tickets t join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id
    where t.project_id = ${acme.id} and (t.contact_id <> ${into.id} or a.updated_at <= t.created_at)`
  assert.equal(left, undefined)
})

test('undoing such a merge responds before all tickets have moved back; a ticket created after the merge stays', async () => {
  const [from, into] = [await makeContact(api), await makeContact(api)]
  const ticket = await makeTicket(api, { contact: { email: from.email } })
  await giveTickets(ticket.id)
  const own = await makeTicket(api, { contact: { email: into.email } })
  assert.equal((await api.post(`/contacts/${from.id}/merge`, { into_contact_id: into.id })).status, 200)
  await moveRemainingTickets(db, acme.id)
  const { seq } = (await listEvents(db, acme)).at(-1)!
  const undone = await api.post(`/contacts/${from.id}/unmerge`)
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(undone.body.kept, [])
  assert.equal(await moveRemainingTickets(db, rival.id), 0)
  while (await moveRemainingTickets(db, acme.id)) {}
  const emitted = (await listEvents(db, acme, seq)).filter(({ data }) => data.cause === 'contact_unmerged')
  assert.equal(new Set(emitted.map(({ data }) => data.ticket_id)).size, emitted.length)
  assert.equal((await api.get(`/contacts/${from.id}`)).body.tickets_count, many + 1)
  assert.equal((await api.get(`/contacts/${into.id}`)).body.tickets_count, 1)
  assert.equal((await api.get(`/tickets/${own.id}`)).body.contact_id, into.id)
})
