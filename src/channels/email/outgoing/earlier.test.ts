import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openEmailTicket } from '../../../../test/mail/sending.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { newId } from '../../../core/ids.ts'
import { now } from '../../../core/time.ts'
import { listEarlier } from './build-queries.ts'

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

test('only the newest messages of a long conversation are read, up to a total size', async () => {
  const { acme, db } = server
  const { id: ticket_id } = await openEmailTicket(server)
  await db`
    insert into messages (project_id, id, ticket_id, sender_type, content, content_format, content_html, search, channel,
      delivery_updated_at, created_at)
    select ${acme.id}, uuid_v7(), ${ticket_id}, 'contact', 'Number ' || n, 'text', repeat('x', 1000), '', 'email', now(),
      now() - make_interval(hours => n)
    from generate_series(1, 30) n`
  const facts = { id: newId(), ticket_id, created_at: now() }
  const list = async (limit: number, maxBytes: number) =>
    (await listEarlier(db, acme.id, facts, { limit, maxBytes })).map(({ content }) => content)
  assert.deepEqual(await list(100, 2_000), ['It is dark.', 'Number 1', 'Number 2'])
  assert.deepEqual(await list(2, 1e6), ['It is dark.', 'Number 1'])
  assert.deepEqual(await list(1, 1), ['It is dark.'])
})
