import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope, assertProblems } from '../../../../test/client.ts'
import { openEmailTicket, openSender, sendMails, waitForDelivery } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { joinCast, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { replyToTicket } from '../../../tickets/tickets.ts'

/** The signature at the end of a reply: the operator's, the department's or the mailbox's. */

let server: TestServer
let olga: Person
let omar: Person
let rita: Person

before(async () => {
  server = await startServer({ delivers: false })
  ;({ olga, omar, rita } = await joinCast(server))
})
after(() => server.close())

test("a reply has the operator's signature, otherwise the department's, otherwise the mailbox's", async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const { id, email } = await openEmailTicket(server)
  const department = (await olga.api.post('/departments', { name: 'Sales' })).body.id
  await server.api.patch(`/tickets/${id}`, { department_id: department })
  const replied = async (): Promise<string> => {
    const actor = {
      type: 'operator' as const,
      id: omar.id,
      name: 'Omar',
      avatar_url: null,
      role: 'operator' as const,
    }
    const caller = { project: { id: server.acme.id, name: 'Acme' }, actor }
    const { message } = await replyToTicket(server.db, caller, id, {
      content: 'Hello',
      email: { to: [email], mailbox_id: sender.id },
    })
    await waitForDelivery(server, message.id)
    return sink.mails.at(-1)!.raw
  }
  const signatures = { omar: 'Omar <b>& team</b>', sales: 'Sales at Acme', mailbox: 'Acme Support desk' }
  await olga.api.patch(`/mailboxes/${sender.id}`, { signature: signatures.mailbox })
  assert.match(await replied(), /Acme Support desk/)
  await olga.api.patch(`/departments/${department}`, { signature: signatures.sales })
  assert.match(await replied(), /Sales at Acme/)
  await omar.api.put('/me/signature', { signature: signatures.omar })
  const raw = await replied()
  assert.match(raw, /Omar &lt;b&gt;&amp; team&lt;\/b&gt;/)
  assert.doesNotMatch(raw, /Sales at Acme|Acme Support desk/)
})

test('operators can change only their own signature, and admins those of departments and mailboxes', async () => {
  const saved = await omar.api.put('/me/signature', { signature: '  Omar Haddad  ' })
  assert.deepEqual([saved.status, saved.body], [200, { signature: 'Omar Haddad' }])
  assert.equal((await omar.api.get('/me/signature')).body.signature, 'Omar Haddad')
  for (const other of [olga, rita]) assert.equal((await other.api.get('/me/signature')).body.signature, '')
  assertProblems(await omar.api.put('/me/signature', { signature: 'x'.repeat(10_001) }), 'body.signature')
  const { body } = await olga.api.post('/departments', { name: 'Returns' })
  const path = `/departments/${body.id}`
  assert.equal((await omar.api.patch(path, { signature: 'x' })).status, 403)
  assertEnvelope(await rita.api.patch(path, { signature: 'x' }), 404, 'DEPARTMENT_NOT_FOUND')
  const changed = await olga.api.patch(path, { signature: 'Returns' })
  assert.equal(changed.body.signature, 'Returns')
  const listed = (await server.api.get('/departments')).body.items
  assert.equal(listed.find((one: { id: string }) => one.id === body.id).signature, 'Returns')
})
