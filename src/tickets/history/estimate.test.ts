import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Member, makeTicket } from '../../../test/cast.ts'
import { joinProject } from '../../../test/operator.ts'
import { startServer } from '../../../test/server.ts'
import { estimateHistories } from './estimate.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

interface Item {
  type: string
  at: string
  by: { type: string; id: string | null; name: string | null }
  changes: { field: string; from: unknown; to: unknown }[]
  is_estimated: boolean
  can_undo: boolean
}

const historyOf = async (id: string): Promise<Item[]> => (await api.get(`/tickets/${id}/history`)).body.items

/** Puts the database into its state just after the migration. */
const forget = async ({ id }: Member) => {
  await db`delete from ticket_history where project_id = ${id}`
  await db`insert into history_estimates (project_id) values (${id})`
}

async function estimateAll({ id }: Member): Promise<void> {
  while (await estimateHistories(db, id));
}

test('the history of an older ticket is estimated from the ticket and its system messages, and marked as estimated', async () => {
  const omar = await joinProject(server, acme, { name: 'Omar' })
  const ticket = await makeTicket(api)
  await omar.api.post(`/tickets/${ticket.id}/take`)
  const closed = (await omar.api.post(`/tickets/${ticket.id}/close`)).body
  await forget(acme)
  await estimateAll(acme)
  const items = await historyOf(ticket.id)
  const byOmar = { type: 'operator', id: omar.id, name: 'Omar' }
  assert.deepEqual(
    items.map(({ type, by }) => [type, by]),
    [
      ['ticket.closed', byOmar],
      ['ticket.assigned', byOmar],
      ['ticket.created', { type: 'api', id: null, name: null }],
    ],
  )
  assert.ok(items.every(({ is_estimated, can_undo }) => is_estimated && !can_undo))
  assert.deepEqual([items[2]!.at, items[1]!.changes[0]!.to], [ticket.created_at, omar.id])
  assert.equal(items[0]!.at.slice(0, 16), closed.closed_at.slice(0, 16))
})

test('the estimated history of a ticket that was closed without a system message contains the closing', async () => {
  const ticket = await makeTicket(api)
  const closed = (await api.patch(`/tickets/${ticket.id}`, { status: 'closed' })).body
  await forget(acme)
  await estimateAll(acme)
  const [closing] = await historyOf(ticket.id)
  assert.deepEqual(
    [closing!.type, closing!.at, closing!.by.id],
    ['ticket.closed', closed.closed_at, acme.key.id],
  )
})

test('tickets with a history keep it, and estimating twice adds nothing', async () => {
  const [older, newer] = [await makeTicket(api), await makeTicket(api)]
  await api.patch(`/tickets/${newer.id}`, { priority: 'high' })
  await db`delete from ticket_history where project_id = ${acme.id} and ticket_id = ${older.id}`
  for (const _ of [1, 2]) {
    await db`insert into history_estimates (project_id) values (${acme.id})`
    await estimateAll(acme)
  }
  assert.deepEqual(
    (await historyOf(older.id)).map(({ is_estimated }) => is_estimated),
    [true],
  )
  assert.deepEqual(
    (await historyOf(newer.id)).map(({ is_estimated }) => is_estimated),
    [false, false],
  )
})

test('estimating one project adds nothing to another', async () => {
  await makeTicket(outsider)
  await forget(rival)
  await forget(acme)
  await estimateAll(acme)
  assert.equal((await db`select from ticket_history where project_id = ${rival.id}`).count, 0)
})
