import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from '../../test/server.ts'

test('simultaneous posts, edits, closings and reopenings of one ticket never deadlock', async t => {
  const server = await startServer({ delivers: false, config: { requestsAtOnce: 500 } })
  t.after(() => server.close())
  const { api } = server
  const created = await api.post('/tickets', { contact: { email: 'ann@example.com' }, content: 'Hello' })
  const path = `/tickets/${created.body.id}`
  const acts = [
    () => api.post(`${path}/close`),
    () => api.post(`${path}/reopen`),
    () => api.patch(path, { tags: ['a'] }),
    () => api.post(`${path}/messages`, { content: 'x' }),
  ]
  const allowed = new Set([200, 201, 409, 422])
  // In rounds, because with 240 at once, the last ones could exceed the statement timeout on a busy machine.
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => acts[index % acts.length]!()))
    assert.deepEqual(
      answers.filter(answer => !allowed.has(answer.status)).map(answer => answer.status),
      [],
    )
  }
})

test('a change of a ticket or a contact does not wait for others who write rows that refer to it', async t => {
  const server = await startServer({ delivers: false })
  t.after(() => server.close())
  const { api, db } = server
  const { body } = await api.post('/tickets', { contact: { email: 'bob@example.com' }, content: 'Hello' })
  await db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    // A foreign key takes these locks when such a row is written.
    await tx`select from tickets where id = ${body.id} for key share`
    await tx`select from contacts where id = ${body.contact.id} for key share`
    for (const [path, change] of [
      [`/tickets/${body.id}`, { subject: 'Another' }],
      [`/contacts/${body.contact.id}`, { full_name: 'Bob' }],
    ] as const)
      assert.equal((await api.patch(path, change)).status, 200)
  })
})
