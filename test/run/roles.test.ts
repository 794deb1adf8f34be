import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { makeCast } from '../cast.ts'
import { createClient } from '../client.ts'
import { createDatabase } from '../database.ts'
import { startReceiver } from '../receiver.ts'
import { keyOf, run, startServer, statusOf } from './program.ts'

test('two processes that share the roles on one database do the work of one', async t => {
  const { db, target, drop } = await createDatabase()
  t.after(drop)
  const receiver = await startReceiver()
  t.after(receiver.close)
  const { acme } = await makeCast(db)
  const shared = {
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
  const [http] = await Promise.all([
    startServer(t, { ...shared, ROLES: 'http' }),
    startServer(t, { ...shared, ROLES: 'deliver,jobs' }),
  ])
  const api = createClient(`${http.url}/api/v1`, acme.key.key)
  await api.post('/webhooks', { url: receiver.url, events: ['ticket.created', 'message.created'] })
  const ticket = await api.post('/tickets', { contact: { email: 'ann@example.com' } })
  const created = await receiver.next(({ headers }) => headers['x-webhook-event'] === 'ticket.created')
  assert.equal(JSON.parse(String(created.body)).data.ticket_id, ticket.body.id)

  const soon = { content: 'Soon', send_at: new Date(Date.now() + 3_000).toISOString() }
  const scheduled = await api.post(`/tickets/${ticket.body.id}/messages`, soon)
  const sent = await receiver.next(({ headers }) => headers['x-webhook-event'] === 'message.created')
  assert.equal(JSON.parse(String(sent.body)).data.message_id, scheduled.body.id)
})

test('matches tags in every spelling after a start, even if an older version folded them', async t => {
  const { db, target, drop } = await createDatabase()
  t.after(drop)
  const { acme } = await makeCast(db)
  await db`
    insert into tags (project_id, id, name, folded) values
      (${acme.id}, uuid_v7(), 'ΟΔΟΣ', 'οδοσ'), (${acme.id}, uuid_v7(), ' VIP ', ' vip '), (${acme.id}, uuid_v7(), 'Later', null)`
  const { url } = await startServer(t, {
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
  })
  const api = createClient(`${url}/api/v1`, acme.key.key)
  const sent = { contact: { email: 'ann@example.com' }, tags: ['οδος', 'vip', 'LATER'] }
  assert.deepEqual((await api.post('/tickets', sent)).body.tags, ['ΟΔΟΣ', ' VIP ', 'Later'])
})

test('a process without the role http creates no key, even if it starts first', async t => {
  const { target, drop } = await createDatabase()
  t.after(drop)
  const shared = {
    DATABASE_URL: `postgres://${target.user}@localhost/${target.database}?host=${target.host}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
    PUBLIC_URL: 'https://desk.example.com',
  }
  const worker = await startServer(t, { ...shared, ROLES: 'deliver,jobs', HOST: '0.0.0.0' })
  assert.match(
    worker.stdout,
    /^Deskbell is ready at http:\/\/localhost:\d+\nIts ROLES are deliver and jobs, so it serves only \/healthz, \/readyz and \/metrics\.\n$/,
  )
  assert.equal(await statusOf(`${worker.url}/readyz`), 200)
  const http = await startServer(t, { ...shared, ROLES: 'http' })
  assert.match(http.stdout, /^Deskbell is ready at https:\/\/desk\.example\.com\n/)
  assert.match(keyOf(http), /^sk_/)
})

test('rejects --demo in a process without the role http', async () => {
  const settings = { DATABASE_URL: 'postgres://localhost/none', ROLES: 'jobs' }
  const { status, stderr } = await run(process.execPath, ['src/main.ts', '--demo'], settings).ended
  assert.equal(status, 1)
  assert.match(stderr, /^--demo fills the first project, which a process with the role http creates/)
})
