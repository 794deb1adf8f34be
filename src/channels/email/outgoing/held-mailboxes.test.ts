import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSender, postEmail, sendMails, waitForDelivery } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { joinProject, type Person } from '../../../../test/operator.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

/** Mailboxes that must not send are not due until they may send again. */

let server: TestServer
let olga: Person

before(async () => {
  server = await startServer({ delivers: false })
  olga = await joinProject(server, server.acme, { name: 'Olga', role: 'admin' })
})
after(() => server.close())

test('a paused mailbox with waiting emails has no due work, and sends them when it is resumed', async t => {
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  const id = await postEmail(server, sender)
  assert.equal((await olga.api.post(`/mailboxes/${sender.id}/pause`)).status, 200)
  sendMails(t, server)
  await until(
    async () =>
      (await server.db`select from due_work where kind = 'outgoing' and subject_id = ${sender.id}`).count ===
      0,
  )
  assert.equal(sink.state.connections, 0)
  assert.equal((await olga.api.post(`/mailboxes/${sender.id}/resume`)).status, 200)
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
})

test('a mailbox that cannot send is due again when its pause ends', async t => {
  const sender = await openSender(server, { port: 1 })
  await postEmail(server, sender)
  sendMails(t, server)
  await until(
    async () =>
      (
        await server.db`
          select from due_work d join mailboxes m on m.id = d.subject_id
          where d.kind = 'outgoing' and m.id = ${sender.id} and d.due_at = m.send_backoff_until`
      ).count > 0,
  )
})
