import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeDepartment, makeTicket } from '../../test/cast.ts'
import { makeChannel, type Program } from '../../test/custom-channel.ts'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { readLogPage } from '../events/cursor.ts'
import { factsReader } from './facts.ts'

const server = await startServer({ delivers: false })
const { api, db, acme, rival } = server
let olga: Person
let omar: Person
let rita: Person
let program: Program

before(async () => {
  ;({ olga, omar, rita } = await joinCast(server))
  program = await makeChannel(olga.api, api, { name: 'signal' })
})
after(() => server.close())

const read = (project = acme) => readLogPage(db, project.id, factsReader)

interface Fact {
  kind: string
  cycle: number
  secs: number | null
  rating: number | null
  priority: string
  department_id: string | null
  operator_id: string | null
  tags: string[]
}

const listFacts = async (ticketId: string): Promise<Fact[]> => [
  ...(await db<Fact[]>`
    select kind, cycle, secs, rating, priority, department_id, operator_id, tags from report_facts
    where ticket_id = ${ticketId} order by at, kind desc`),
]

/** The values of one field in a ticket's facts. */
const valuesOf = async <K extends keyof Fact>(ticketId: string, field: K) =>
  (await listFacts(ticketId)).map(fact => [fact.kind, fact[field]])

/** Makes a ticket and its messages this many seconds older. */
async function age(ticketId: string, seconds: number): Promise<void> {
  await db`update tickets set created_at = created_at - ${seconds}::int * interval '1 second' where id = ${ticketId}`
  await db`update messages set created_at = created_at - ${seconds}::int * interval '1 second' where ticket_id = ${ticketId}`
}

/** Returns the message's id. */
async function reply(ticketId: string, fields: object = {}): Promise<string> {
  const answer = await omar.api.post(`/tickets/${ticketId}/messages`, { content: 'Hi', ...fields })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

/** The seconds between two messages, rounded as in the facts. */
async function secondsBetween(asked: string, answered: string): Promise<number> {
  const [row] = await db<{ secs: number }[]>`
    select extract(epoch from r.created_at - a.created_at)::int as secs from messages a, messages r
    where a.id = ${asked} and r.id = ${answered}`
  return row!.secs
}

test('a ticket has a fact for everything that happened, with who did it', async () => {
  const { id } = await makeTicket(api, { content: 'Help' })
  await omar.api.post(`/tickets/${id}/close`)
  await api.post(`/tickets/${id}/reopen`)
  await olga.api.patch(`/tickets/${id}`, { operator_id: omar.id })
  await api.post(`/tickets/${id}/rate`, { rating: 4 })
  await api.post(`/tickets/${id}/close`)
  await read()
  assert.deepEqual(await valuesOf(id, 'operator_id'), [
    ['created', null],
    ['closed', omar.id],
    ['reopened', null],
    ['assigned', omar.id],
    ['rated', omar.id],
    ['closed', null],
  ])
  const facts = await listFacts(id)
  assert.deepEqual(
    facts.map(({ cycle }) => cycle),
    [0, 0, 1, 1, 1, 1],
  )
  assert.deepEqual(
    facts.map(({ rating }) => rating),
    [null, null, null, null, 4, null],
  )
  await read()
  assert.equal((await listFacts(id)).length, 6)
})

test('a fact describes the ticket as it was at the time of the event, even if the event is read later', async () => {
  const [billing, sales] = [
    await makeDepartment(db, acme, 'Billing'),
    await makeDepartment(db, acme, 'Sales'),
  ]
  const { id } = await makeTicket(api, { tags: ['kept', 'gone'], priority: 'low' })
  await api.patch(`/tickets/${id}`, { priority: 'high', department_id: billing.id, operator_id: omar.id })
  await api.patch(`/tickets/${id}`, { tags: ['kept', 'late'] })
  await api.post(`/tickets/${id}/close`)
  await api.post(`/tickets/${id}/reopen`)
  await api.patch(`/tickets/${id}`, {
    ...{ priority: 'urgent', department_id: sales.id, operator_id: null, tags: [] },
  })
  await read()
  const facts = await listFacts(id)
  assert.deepEqual(
    facts.map(({ kind, priority, department_id, tags }) => [kind, priority, department_id, tags]),
    [
      ['created', 'low', null, ['gone', 'kept']],
      ['assigned', 'high', billing.id, ['gone', 'kept']],
      ['closed', 'high', billing.id, ['kept', 'late']],
      ['reopened', 'high', billing.id, ['kept', 'late']],
    ],
  )
})

test("reply times count from the contact's first unanswered message, and the first reply time from the first message", async () => {
  const { ticket_id, id: first } = (await program.post('p-1', 'First')).body
  assert.ok(ticket_id)
  await age(ticket_id, 50)
  await program.post('p-1', 'Second')
  await reply(ticket_id, { is_internal: true })
  const answer = await reply(ticket_id)
  await reply(ticket_id)
  await age(ticket_id, 30)
  const { id: third } = (await program.post('p-1', 'Third')).body
  await age(ticket_id, 20)
  const last = await reply(ticket_id)
  await read()
  const [one, other] = [await secondsBetween(first, answer), await secondsBetween(third, last)]
  assert.ok(one >= 50 && other >= 20, `${one} s, ${other} s`)
  const facts = (await listFacts(ticket_id)).filter(({ kind }) => kind.includes('reply'))
  assert.deepEqual(
    facts.map(({ kind, secs }) => [kind, secs]),
    [
      ['reply', one],
      ['first_reply', one],
      ['reply', null],
      ['reply', other],
    ],
  )
  assert.deepEqual([...new Set(facts.map(({ operator_id }) => operator_id))], [omar.id])
})

test('a message to a contact who has not written is not a first reply', async () => {
  const { id } = await makeTicket(api)
  await reply(id)
  await read()
  assert.deepEqual(
    (await valuesOf(id, 'secs')).filter(([kind]) => String(kind).includes('reply')),
    [['reply', null]],
  )
})

test('a ticket that is deleted before its events are read gets no facts, and deleting a ticket deletes its facts', async () => {
  const [gone, stays] = [await makeTicket(api), await makeTicket(api)]
  await db`delete from tickets where id = ${gone.id}`
  await read()
  assert.deepEqual(await listFacts(gone.id), [])
  assert.equal((await listFacts(stays.id)).length, 1)
  await db`delete from tickets where id = ${stays.id}`
  assert.deepEqual(await listFacts(stays.id), [])
})

test("Rival's facts come only from Rival's log", async () => {
  const { id } = await makeTicket(server.outsider)
  await rita.api.post(`/tickets/${id}/close`)
  await read()
  assert.deepEqual(await listFacts(id), [])
  await read(rival)
  assert.deepEqual(await valuesOf(id, 'operator_id'), [
    ['created', null],
    ['closed', rita.id],
  ])
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from report_facts where ticket_id = ${id} and project_id <> ${rival.id}`
  assert.equal(row!.count, 0)
})
