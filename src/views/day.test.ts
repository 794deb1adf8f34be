import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeContact, makeDepartment, makeMessage, makeTicket } from '../../test/cast.ts'
import { assertProblems } from '../../test/client.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import type { Day } from './schema.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

const from = new Date(Date.now() - 12 * 3_600_000).toISOString()
const until = new Date(Date.now() + 12 * 3_600_000).toISOString()

const dayOf = async (who: Person): Promise<Day> =>
  (await who.api.get(`/today?from=${from}&until=${until}`)).body

const countsOf = async (who: Person): Promise<Record<string, number>> =>
  Object.fromEntries((await dayOf(who)).items.map(({ kind, count }) => [kind, count]))

const more: Record<string, string> = {
  my_closed: `&closed_after=${from}`,
  my_snoozed: `&snoozed_before=${until}`,
}

const totalOf = async (who: Person, view: string): Promise<number> =>
  (await who.api.get(`/tickets?view=${view}${more[view] ?? ''}`)).body.total

const nextOf = async (who: Person) => {
  const { next } = await dayOf(who)
  return next && [next.view, next.ticket.id]
}

/** A ticket whose contact has been waiting for this long. */
async function makeWaiting(hours: number, fields: object = {}) {
  const ticket = await makeTicket(api, { content: 'Hello', ...fields })
  await db`update ticket_activity set waiting_since = now() - ${`${hours} hours`}::interval
    where project_id = ${acme.id} and ticket_id = ${ticket.id}`
  return ticket
}

async function mention(ticketId: string) {
  const body = { content: 'Can you look?', is_internal: true, mentions: [omar.id] }
  assert.equal((await olga.api.post(`/tickets/${ticketId}/messages`, body)).status, 201)
}

/** Some tickets that belong to each list, and some that do not. */
async function furnish() {
  const mine = { operator_id: omar.id }
  const [sales, other] = [await makeDepartment(db, acme, 'Sales'), await makeDepartment(db, acme, 'Other')]
  await db`insert into department_operators values (${acme.id}, ${sales.id}, ${omar.id})`
  await makeWaiting(1, mine)
  await makeWaiting(30, mine)
  await makeWaiting(40, { department_id: sales.id })
  await makeWaiting(50, { department_id: other.id })
  await makeWaiting(60)
  const spam = await makeWaiting(70, mine)
  await mention(spam.id)
  await api.patch(`/tickets/${spam.id}`, { is_spam: true })
  const mentioned = await makeTicket(api, { operator_id: olga.id })
  await mention(mentioned.id)
  await mention(mentioned.id)
  for (const until of ['2999-01-01', new Date(Date.now() + 3_600_000).toISOString()])
    await api.patch(`/tickets/${(await makeWaiting(80, mine)).id}`, { snoozed_until: until })
  for (const who of [omar.api, olga.api, api])
    assert.equal((await who.post(`/tickets/${(await makeTicket(api)).id}/close`)).status, 200)
  const old = await makeTicket(api)
  await omar.api.post(`/tickets/${old.id}/close`)
  await db`update tickets set closed_at = now() - interval '2 days' where project_id = ${acme.id} and id = ${old.id}`
  await db`update ticket_activity set closed_at = now() - interval '2 days' where project_id = ${acme.id} and ticket_id = ${old.id}`
}

test('each number of the day is that of the list that it opens', async () => {
  await furnish()
  const counts = await countsOf(omar)
  assert.deepEqual(counts, {
    ...{ mine: 2, my_departments: 1, unread_mentions: 1 },
    ...{ late: 4, my_snoozed: 1, my_closed: 1 },
  })
  for (const who of [omar, olga])
    for (const [view, count] of Object.entries(await countsOf(who)))
      assert.deepEqual([view, await totalOf(who, view)], [view, count])
  // Olga is in no department, so the tickets of all departments are hers to take.
  assert.equal((await countsOf(olga)).my_departments, await totalOf(olga, 'unassigned'))
})

test('the tickets that have waited too long are listed from the one that has waited longest', async () => {
  const { items } = (await omar.api.get('/tickets?view=late')).body
  const times = items.map((ticket: { waiting_since: string }) => ticket.waiting_since)
  assert.equal(times.length, 4)
  assert.deepEqual(times, times.toSorted())
})

test('reading a mention removes its ticket from the new mentions, but not from all mentions', async () => {
  const [ticket] = (await omar.api.get('/tickets?view=unread_mentions')).body.items
  await omar.api.post(`/tickets/${ticket.id}/read`, {})
  assert.equal((await countsOf(omar)).unread_mentions, 0)
  assert.equal(await totalOf(omar, 'unread_mentions'), 0)
  assert.equal(await totalOf(omar, 'mentions'), 1)
})

test('the next ticket is the one that has waited longest: one of my own, or else one of my departments', async () => {
  const listed = async (view: string) => (await omar.api.get(`/tickets?view=${view}`)).body.items
  const longest = (tickets: { id: string; waiting_since: string | null }[]) =>
    tickets
      .filter(({ waiting_since }) => waiting_since)
      .sort((a, b) => a.waiting_since!.localeCompare(b.waiting_since!))[0]!
  const own = await listed('mine')
  assert.deepEqual(await nextOf(omar), ['mine', longest(own).id])
  for (const { id } of own) await omar.api.post(`/tickets/${id}/close`)
  const [unassigned] = await listed('my_departments')
  assert.deepEqual(await nextOf(omar), ['my_departments', unassigned.id])
  await makeMessage(api, unassigned.id, { operator_id: omar.id, sender_type: 'operator' })
  await omar.api.post(`/tickets/${unassigned.id}/close`)
  assert.equal(await nextOf(omar), null)
})

test('a person of another project has none of these numbers, and no next ticket', async () => {
  await makeContact(api)
  assert.deepEqual(new Set(Object.values(await countsOf(rita))), new Set([0]))
  assert.equal(await nextOf(rita), null)
})

test('a day without its times is refused', async () => {
  assert.equal((await omar.api.get('/today')).status, 422)
  assert.equal((await omar.api.get('/today?from=soon&until=later')).status, 422)
})

test('a day that is not today is refused, with the reason', async () => {
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
  const early = await omar.api.get(`/today?from=${hours(-49)}&until=${until}`)
  assertProblems(early, 'query.from')
  assert.match(early.text, /The day should begin at most 48 hours ago/)
  const late = await omar.api.get(`/today?from=${from}&until=${hours(49)}`)
  assertProblems(late, 'query.until')
  assert.match(late.text, /The day should end within 48 hours/)
  assert.equal((await omar.api.get(`/today?from=${hours(-47)}&until=${hours(47)}`)).status, 200)
})
