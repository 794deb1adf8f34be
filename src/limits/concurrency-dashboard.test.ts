import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeTicket } from '../../test/cast.ts'
import { joinProject } from '../../test/operator.ts'
import { startServer } from '../../test/server.ts'
import { until } from '../../test/until.ts'

test('refuses dashboard requests while too many of them are in progress, and still accepts API requests', async t => {
  const server = await startServer({ delivers: false, config: { requestsAtOnce: 1 } })
  t.after(() => server.close())
  const ticket = await makeTicket(server.api)
  const person = await joinProject(server, server.acme)
  let closing: Promise<{ status: number }> | undefined
  await server.db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select from tickets where id = ${ticket.id} for update`
    closing = person.api.post(`/tickets/${ticket.id}/close`)
    await until(async () => (await person.api.get('/operators')).status === 429)
    assert.equal((await server.api.get('/tags')).status, 200)
  })
  assert.equal((await closing!).status, 200)
  assert.equal((await person.api.get('/operators')).status, 200)
})
