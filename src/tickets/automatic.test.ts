import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeMessage, makeTicket } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'
import { closeForgottenTickets, wakeTickets } from './tickets.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const read = async (ticket: { id: string }) => (await api.get(`/tickets/${ticket.id}`)).body
const inOneHour = () => new Date(Date.now() + 3_600_000).toISOString()
const isDue = (ticket: { id: string }) =>
  db`update tickets set snoozed_until = now() - interval '1 s' where id = ${ticket.id}`

async function snooze(fields = {}) {
  const ticket = await makeTicket(api, { status: 'open', ...fields })
  const answer = await api.patch(`/tickets/${ticket.id}`, { status: 'on_hold', snoozed_until: inOneHour() })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('a snoozed ticket is on hold, and its time is returned in UTC', async () => {
  const ticket = await makeTicket(api, { status: 'open' })
  const until = '2099-01-15T12:30:00.5+02:00'
  const { body } = await api.patch(`/tickets/${ticket.id}`, { snoozed_until: until })
  assert.equal(body.snoozed_until, '2099-01-15T10:30:00.500000')
  assert.equal(body.status, 'on_hold')
})

test('a ticket stays snoozed until its time', async () => {
  const ticket = await snooze()
  await wakeTickets(db, server.acme.id)
  assert.equal((await read(ticket)).status, 'on_hold')
})

test('when a snooze ends, the ticket becomes open and ticket.updated says so', async () => {
  const ticket = await snooze()
  await isDue(ticket)
  const events = await eventsOf(server, () => wakeTickets(db, server.acme.id))
  assert.deepEqual(
    events.map(event => event.type),
    ['ticket.updated'],
  )
  assert.partialDeepStrictEqual(events[0]!.data, {
    ...{ ticket_id: ticket.id, status: 'open', previous_status: 'on_hold' },
  })
  assert.deepEqual(Object.keys(events[0]!.data).sort(), ['cause', 'previous_status', 'status', 'ticket_id'])
  assert.partialDeepStrictEqual(await read(ticket), { status: 'open', snoozed_until: null })
})

test('a ticket is woken once, even by several processes at the same time', async () => {
  const ticket = await snooze()
  await isDue(ticket)
  const events = await eventsOf(server, () =>
    Promise.all([1, 2, 3, 4].map(() => wakeTickets(db, server.acme.id))),
  )
  assert.deepEqual(
    events.map(event => event.data.ticket_id),
    [ticket.id],
  )
})

/** Resolves when a statement of this database waits for a lock. */
async function untilLockWait(): Promise<void> {
  for (let waiting = 0; waiting === 0; ) {
    const [row] = await db`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    waiting = row!.n
  }
}

test('a ticket that is snoozed again while it is being woken stays snoozed', async () => {
  const ticket = await snooze()
  await isDue(ticket)
  let waking: Promise<number> | undefined
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`update tickets set snoozed_until = now() + interval '1 hour' where id = ${ticket.id}`
    waking = wakeTickets(db, server.acme.id)
    await untilLockWait()
  })
  await waking
  assert.equal((await read(ticket)).status, 'on_hold')
})

test('a snooze is cancelled by snoozed_until null, and by closing the ticket', async () => {
  const [cleared, closed] = [await snooze(), await snooze()]
  await api.patch(`/tickets/${cleared.id}`, { snoozed_until: null })
  await api.post(`/tickets/${closed.id}/close`)
  assert.equal((await read(cleared)).snoozed_until, null)
  await db`update tickets set snoozed_until = now() - interval '1 s' where snoozed_until is not null`
  await wakeTickets(db, server.acme.id)
  assert.equal((await read(closed)).status, 'closed')
})

test("waking the tickets of one project neither wakes those of Rival nor writes to another project's log", async () => {
  const ticket = await makeTicket(outsider, { status: 'on_hold' })
  await isDue(ticket)
  const [before] = await db`select max(seq)::int as n from events where project_id = ${acme.id}`
  await wakeTickets(db, server.acme.id)
  assert.equal((await outsider.get(`/tickets/${ticket.id}`)).body.status, 'on_hold')
  await wakeTickets(db, server.rival.id)
  const [later] = await db`select max(seq)::int as n from events where project_id = ${acme.id}`
  assert.equal((await outsider.get(`/tickets/${ticket.id}`)).body.status, 'open')
  assert.equal(later!.n, before!.n)
})

async function forget(status: string, days: number) {
  const ticket = await makeTicket(api, { status })
  await makeMessage(api, ticket.id)
  await db`update ticket_activity set last_message_at = now() - ${days} * interval '1 day' where ticket_id = ${ticket.id}`
  return ticket
}

test('auto-close is off by default', async () => {
  const ticket = await forget('pending', 1000)
  const events = await eventsOf(server, () => closeForgottenTickets(db))
  assert.deepEqual(events, [])
  assert.equal((await read(ticket)).status, 'pending')
})

test('auto-close closes only tickets that have been pending for longer than the setting', async () => {
  await db`update tickets set status = 'open' where status = 'pending'`
  await db`update projects set auto_close_days = 7 where id = ${acme.id}`
  const old = await forget('pending', 8)
  const others = [await forget('pending', 6), await forget('open', 8), await forget('on_hold', 8)]
  const events = await eventsOf(server, () => closeForgottenTickets(db))
  assert.partialDeepStrictEqual(await read(old), {
    status: 'closed',
    closed_by: { type: 'system', id: null },
  })
  for (const other of others) assert.equal((await read(other)).status, other.status)
  const about = events.filter(event => event.data.ticket_id === old.id).map(event => event.type)
  assert.equal(about.length, events.length)
  assert.equal(about.filter(type => type === 'ticket.closed').length, 1)
})

test('a ticket is auto-closed once, even by several processes at the same time', async () => {
  await db`update projects set auto_close_days = 7 where id = ${acme.id}`
  await forget('pending', 9)
  const events = await eventsOf(server, () => Promise.all([1, 2, 3].map(() => closeForgottenTickets(db))))
  assert.equal(events.filter(event => event.type === 'ticket.closed').length, 1)
})

test('a closed ticket cannot be snoozed, so that nothing reopens it', async () => {
  const closed = await makeTicket(api, { status: 'closed' })
  const both = await makeTicket(api, { status: 'open' })
  await api.patch(`/tickets/${closed.id}`, { snoozed_until: inOneHour() })
  await api.patch(`/tickets/${both.id}`, { status: 'closed', snoozed_until: inOneHour() })
  await db`update tickets set snoozed_until = now() - interval '1 s' where snoozed_until is not null`
  const before = [await read(closed), await read(both)].map(ticket => ticket.status)
  await wakeTickets(db, server.acme.id)
  assert.deepEqual(
    [await read(closed), await read(both)].map(ticket => ticket.status),
    before,
  )
  assert.equal(before[0], 'closed')
})

test('a merged ticket is not woken', async () => {
  const ticket = await snooze()
  const into = await makeTicket(api, { contact: { email: ticket.contact.email } })
  await api.post(`/tickets/${ticket.id}/merge`, { into_ticket_id: into.id })
  await db`update tickets set snoozed_until = now() - interval '1 s' where snoozed_until is not null`
  await wakeTickets(db, server.acme.id)
  assert.equal((await read(ticket)).status, 'closed')
})

test('if the status changes before the snooze ends, nothing happens at its end', async () => {
  const ticket = await snooze()
  await api.patch(`/tickets/${ticket.id}`, { status: 'pending' })
  await db`update tickets set snoozed_until = now() - interval '1 s' where snoozed_until is not null`
  const events = await eventsOf(server, () => wakeTickets(db, server.acme.id))
  assert.deepEqual([events.length, (await read(ticket)).status], [0, 'pending'])
})

test('a snooze until a time in the past does not keep the ticket on hold', async () => {
  const ticket = await makeTicket(api, { status: 'open' })
  const { status } = await api.patch(`/tickets/${ticket.id}`, { snoozed_until: '2020-01-01' })
  assert.ok([200, 422].includes(status))
  await wakeTickets(db, server.acme.id)
  assert.equal((await read(ticket)).status, 'open')
})
