import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { lastSeq, listEvents, makeContact, makeTicket } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'
import { follow, type Update } from '../../test/updates.ts'
import { bareId } from '../core/ids.ts'
import { transact } from '../events/transaction.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme, rival } = server
after(() => server.close())

/** Keeps a transaction open for up to 50 ms, so that transactions end in another order than they began. One in twenty is rolled back. */
async function write(ticketId: string, at: number): Promise<void> {
  const writing = transact(db, acme.id, async tx => {
    await tx`select pg_sleep(${(at % 11) / 200})`
    tx.emit({ type: 'ticket.rated', data: { ticket_id: ticketId, rating: 5 } })
    if (at % 20 === 0) throw new Error('rolled back')
  })
  await writing.catch(error => assert.equal(error.message, 'rolled back'))
}

const asText = (items: Update[]): string[] => items.map(({ seq, id, type }) => `${seq} ${id} ${type}`)

test('with 50 concurrent writers, every reader sees each event once and in the same order', async () => {
  const cursor = await lastSeq(db, acme)
  let end = Number.POSITIVE_INFINITY
  const readers = Array.from({ length: 6 }, () => follow(api.get, cursor, at => at >= end))
  const rivalsCursor = await lastSeq(db, rival)
  const rivals = follow(outsider.get, rivalsCursor, () => end < Number.POSITIVE_INFINITY)
  const ticket = await makeTicket(api)
  const writers = Array.from({ length: 50 }, async (_, writer) => {
    for (let at = 0; at < 8; at++) await write(ticket.id, writer + at * 7)
  })
  await Promise.all([...writers, makeContact(outsider), makeTicket(outsider)])
  end = await lastSeq(db, acme)
  const written = (await listEvents(db, acme, cursor)).map(event => ({ ...event, id: bareId(event.id) }))
  assert.ok(written.length > 350)
  for (const seen of await Promise.all(readers)) {
    assert.deepEqual(asText(seen), asText(written as unknown as Update[]))
  }
  assert.deepEqual([...new Set((await rivals).map(({ workspace_id }) => workspace_id))], [rival.id])
})
