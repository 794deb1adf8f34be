import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeMessage, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { importItems, importSource, oldMessage, oldTicket } from '../../test/imports.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { connectApart, type Db } from '../core/db/db.ts'
import { continueRemovals, importMessages } from './imports.ts'

const server = await startServer({ delivers: false })
const { api, db, acme } = server
after(() => server.close())

const path = `/import/${importSource}`
const takeBack = async (pool: Db) => {
  while ((await continueRemovals(pool, acme.id)) > 0);
}

/** Imports a ticket with so many messages. */
async function importLargeTicket(count: number): Promise<string> {
  const ticket = oldTicket({ messages: [] })
  const [{ id }] = await importItems(api, 'tickets', [ticket])
  const target = { projectId: acme.id, source: importSource }
  for (let begun = 0; begun < count; begun += 5_000) {
    const size = Math.min(5_000, count - begun)
    const items = Array.from({ length: size }, () => ({ ticket: ticket.source_id, ...oldMessage(unique()) }))
    await importMessages(db, target, items as Parameters<typeof importMessages>[2])
  }
  return id
}

test('a ticket with 20,000 messages is removed in batches, each a short transaction', async t => {
  const id = await importLargeTicket(20_000)
  const short = connectApart(db, { max: 1, statementTimeout: 2_000 })
  t.after(() => short.end())
  await api.request('DELETE', path)
  await continueRemovals(short, acme.id)
  assert.equal((await api.get(`/tickets/${id}`)).body.messages_count, 18_000)
  assert.equal((await api.get(path)).body.messages, 18_000)
  await takeBack(short)
  assert.equal((await api.get(path)).status, 404)
  assert.equal((await api.get(`/tickets/${id}`)).status, 404)
})

test('a ticket that is continued between two batches is kept with the messages that it still has', async () => {
  const id = await importLargeTicket(2_100)
  await api.request('DELETE', path)
  await continueRemovals(db, acme.id)
  await makeMessage(api, id, { content: 'Later' })
  await takeBack(db)
  assert.equal((await api.get(`/tickets/${id}`)).body.messages_count, 101)
  assert.partialDeepStrictEqual((await api.get(path)).body, { state: 'open', kept: 1, messages: 100 })
})

test('a call that waits too long for another call of the import is asked to try again', async () => {
  await importItems(api, 'tickets', [oldTicket()])
  const { tickets } = (await api.get(path)).body
  const calls = [
    () => api.post(`${path}/tickets`, { items: [oldTicket()] }),
    () => api.request('DELETE', path),
  ]
  for (const call of calls) {
    const answer = await db.begin(async sql => {
      await sql`set local idle_in_transaction_session_timeout = 0`
      await sql`select from imports where project_id = ${acme.id} and source = ${importSource} for update`
      const called = call()
      // The error of the statement timeout, without the wait for it.
      await until(async () => {
        const { count } = await db`
          select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return count > 0
      })
      return called
    })
    assertEnvelope(answer, 429, 'RATE_LIMIT_EXCEEDED', { retry_after: 5, reason: 'import_busy' })
    assert.equal(answer.headers.get('retry-after'), '5')
  }
  assert.partialDeepStrictEqual((await api.get(path)).body, { state: 'open', tickets })
})
