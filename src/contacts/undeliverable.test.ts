import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeContact, unique } from '../../test/cast.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'
import { transact } from '../events/transaction.ts'
import { setUndeliverable } from './contacts.ts'

test('marking several addresses does not deadlock with another change of one of them', async t => {
  const server = await startServer({ delivers: false })
  t.after(() => server.close())
  const { db, api, acme } = server
  const [first, second] = ['a', 'b'].map(letter => `${letter}${unique()}@example.com`) as [string, string]
  const ids = [await makeContact(api, { email: first }), await makeContact(api, { email: second })].map(
    ({ id }) => id as string,
  )
  const marking = await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select from contact_identities where project_id = ${acme.id} and value = ${second} for update`
    // In a different order than that of the locks, and with an address that belongs to no contact.
    const addresses = [second, 'nobody@example.com', first]
    const work = transact(db, acme.id, marked => setUndeliverable(marked, addresses, true))
    await until(async () => {
      const waiting = await db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length === 1
    })
    await tx`select from contacts where project_id = ${acme.id} and id = ${ids[0]!} for update nowait`
    return { work }
  })
  await marking.work
  for (const id of ids)
    assert.equal((await api.get(`/contacts/${id}`)).body.identities[0].is_undeliverable, true)
})
