import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { makeContact, makeDepartment, makeMessage, makeOperator, makeTicket } from '../../test/cast.ts'
import { listCopied, listUntrueCopies } from '../../test/copies.ts'
import { createDatabase } from '../../test/database.ts'
import { startServer } from '../../test/server.ts'
import { root } from '../core/config/config.ts'
import { migrate } from '../core/db/migrate.ts'
import { createLog } from '../core/telemetry/log.ts'
import { createProject } from '../projects/projects.ts'
import { closeForgottenTickets, wakeTickets } from './tickets.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
after(() => server.close())

const [operator, department] = [await makeOperator(db, acme), await makeDepartment(db, acme)]

const assertCopies = async () => assert.deepEqual([...(await listUntrueCopies(db))], [])

/** The copies in the ticket's activity, after a check that no ticket's copies differ from it. */
async function copyOf({ id }: { id: string }) {
  await assertCopies()
  const [copy] = await db`select * from ticket_activity where ticket_id = ${id}`
  return copy!
}

async function change(ticket: { id: string }, fields: object) {
  const answer = await api.patch(`/tickets/${ticket.id}`, fields)
  assert.equal(answer.status, 200, answer.text)
  return copyOf(ticket)
}

test('the activity has copies of status, priority, channel, assignment, spam, created_at and closed_at', async () => {
  const copied = ['channel', 'closed_at', 'created_at', 'department_id', 'is_spam', 'operator_id']
  assert.deepEqual(await listCopied(db), [...copied, 'priority', 'status'])
})

test('the fields of a new ticket are copied', async () => {
  const fields = {
    status: 'pending',
    priority: 'high',
    operator_id: operator.id,
    department_id: department.id,
  }
  const copy = await copyOf(await makeTicket(api, { ...fields, content: 'Hello' }))
  assert.partialDeepStrictEqual(copy, { ...fields, channel: 'api', is_spam: false, closed_at: null })
})

test('a ticket created as closed is copied with closed_at', async () => {
  const ticket = await makeTicket(api, { status: 'closed' })
  assert.equal((await copyOf(ticket)).closed_at, ticket.closed_at)
})

test('every change of a copied field is copied', async () => {
  const ticket = await makeTicket(api)
  const fields = { priority: 'urgent', is_spam: true, operator_id: operator.id, department_id: department.id }
  assert.partialDeepStrictEqual(await change(ticket, { ...fields, status: 'open' }), {
    ...fields,
    status: 'open',
  })
  assert.partialDeepStrictEqual(await change(ticket, { operator_id: null }), { ...fields, operator_id: null })
})

test('closing and reopening are copied', async () => {
  const ticket = await makeTicket(api, { content: 'Hello' })
  const closed = (await api.post(`/tickets/${ticket.id}/close`, { comment: 'Done' })).body
  assert.partialDeepStrictEqual(await copyOf(ticket), { status: 'closed', closed_at: closed.closed_at })
  await api.post(`/tickets/${ticket.id}/reopen`)
  assert.partialDeepStrictEqual(await copyOf(ticket), { status: 'open', closed_at: null })
})

test('snoozing and waking a ticket are copied', async () => {
  const ticket = await makeTicket(api, { status: 'open' })
  const until = new Date(Date.now() + 3_600_000).toISOString()
  assert.equal((await change(ticket, { snoozed_until: until })).status, 'on_hold')
  await db`update tickets set snoozed_until = now() - interval '1 s' where id = ${ticket.id}`
  await wakeTickets(db, server.acme.id)
  assert.equal((await copyOf(ticket)).status, 'open')
})

test('auto-closing a ticket is copied', async () => {
  const ticket = await makeTicket(api, { status: 'pending', content: 'Hello' })
  await db`update projects set auto_close_days = 3 where id = ${acme.id}`
  await db`update ticket_activity set last_message_at = now() - interval '4 days' where ticket_id = ${ticket.id}`
  await closeForgottenTickets(db)
  assert.equal((await copyOf(ticket)).status, 'closed')
  await db`update projects set auto_close_days = null where id = ${acme.id}`
})

test('merging tickets and merging contacts keep the copies correct', async () => {
  const into = await makeTicket(api, { content: 'First' })
  const from = await makeTicket(api, { contact: { email: into.contact.email }, content: 'Second' })
  await api.post(`/tickets/${from.id}/merge`, { into_ticket_id: into.id })
  assert.equal((await copyOf(from)).status, 'closed')
  const contact = await makeContact(api)
  const answer = await api.post(`/contacts/${into.contact_id}/merge`, { into_contact_id: contact.id })
  assert.equal(answer.status, 200, answer.text)
  assert.equal((await copyOf(into)).status, 'new')
})

test('messages and ratings do not change the copies', async () => {
  const ticket = await makeTicket(api, { priority: 'low', content: 'Hello' })
  await makeMessage(api, ticket.id)
  await api.post(`/tickets/${ticket.id}/rate`, { rating: 5 })
  assert.equal((await copyOf(ticket)).priority, 'low')
})

test('every copied column is copied, even if it is written directly in the database', async () => {
  const { id } = await makeTicket(api)
  const values: Record<string, unknown> = { is_spam: true, status: 'open', priority: 'low', channel: 'email' }
  Object.assign(values, { operator_id: operator.id, department_id: department.id })
  for (const name of await listCopied(db)) {
    await db`update tickets set ${db({ [name]: values[name] ?? '2026-01-02T03:04:05.678901Z' })} where id = ${id}`
    await assertCopies()
  }
  assert.partialDeepStrictEqual(await copyOf({ id }), values)
})

test('a migration adds the copies to a database that has tickets', async context => {
  const { db, drop } = await createDatabase({ max: 1 })
  const folder = mkdtempSync(join(tmpdir(), 'deskbell-migrations-'))
  context.after(async () => {
    rmSync(folder, { recursive: true })
    await drop()
  })
  const names = readdirSync(join(root, 'migrations')).filter(name => /^\d/.test(name) && name < '0007')
  for (const name of names) cpSync(join(root, 'migrations', name), join(folder, name))
  await db`drop schema public cascade`
  await db`create schema public`
  await migrate(db, createLog('silent'), folder)
  const { id } = await createProject(db, { name: 'Old' })
  await db`insert into contacts (project_id, id, source, created_at, updated_at) values (${id}, ${id}, 'api', now(), now())`
  await db`
    insert into tickets (project_id, id, number, subject, status, priority, channel, contact_id, is_spam, closed_at, created_at)
    select ${id}, uuid_v7(), n, 'Old', case when n % 2 = 0 then 'closed' else 'open' end, 'low', 'api', ${id}, n % 3 = 0,
      case when n % 2 = 0 then now() end, now() - n * interval '1 day' from generate_series(1, 50) n`
  await db`insert into ticket_activity (project_id, ticket_id, updated_at, messages_count)
    select project_id, id, created_at, number from tickets`
  await migrate(db, createLog('silent'))
  assert.deepEqual([...(await listUntrueCopies(db))], [])
  const [kept] = await db`
    select count(*)::int as rows, sum(messages_count)::int as messages, (count(*) filter (where is_spam))::int as spam
    from ticket_activity`
  assert.deepEqual({ ...kept }, { rows: 50, messages: 1275, spam: 16 })
})
