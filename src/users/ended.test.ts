import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { joinCast, type Person } from '../../test/operator.ts'
import { startServer, type TestServer } from '../../test/server.ts'
import { deleteExpiredRows } from './expired-rows.ts'
import { createLink } from './links.ts'

let server: TestServer
let omar: Person
before(async () => {
  server = await startServer({ delivers: false })
  ;({ omar } = await joinCast(server))
})
after(() => server.close())

const countAll = async (): Promise<Record<string, number>> => {
  const [row] = await server.db`select (select count(*)::int from user_sessions) as sessions,
    (select count(*)::int from links) as links, (select count(*)::int from sign_in_attempts) as attempts`
  return row as unknown as Record<string, number>
}

test('expired sessions, links and attempts are deleted, and nothing else', async () => {
  const { db, acme } = server
  await createLink(db, { purpose: 'set_up', project_id: acme.id })
  await omar.auth.post('/sign-in/email', { email: 'nobody@example.com', password: 'not this one' })
  const before = await countAll()
  await deleteExpiredRows(db)
  assert.deepEqual(await countAll(), before)
  await db`update user_sessions set expires_at = now() - interval '1 second' where user_id = (
    select id from users where email = ${omar.email})`
  await db`update links set expires_at = now() - interval '31 days' where purpose = 'set_up'`
  await db`update sign_in_attempts set tried_at = now() - interval '25 hours'`
  assert.ok((await deleteExpiredRows(db)) > 0)
  assert.equal(await deleteExpiredRows(db), 0)
  const { sessions, links, attempts } = await countAll()
  assert.deepEqual([sessions, links, attempts], [before.sessions! - 1, before.links! - 1, 0])
})
