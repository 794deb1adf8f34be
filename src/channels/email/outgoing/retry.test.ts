import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import {
  findDelivery,
  listRecipients,
  openSender,
  postEmail,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { reply, startSink } from '../../../../test/mail/sink.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'

/** Sending failed emails again. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

const retry = (id: string) => server.api.post(`/messages/${id}/retry`)

test('an email that reached no one is rebuilt with the same Message-ID, the current text and the current settings', async t => {
  const refused: string[] = []
  const sink = await startSink(t, {
    onMail({ raw }) {
      refused.push(raw)
      return reply(550, 'Refused')
    },
  })
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender, { content: 'Old text' })
  assert.equal((await waitForDelivery(server, id)).status, 'failed')
  const { message_id } = (await server.api.get(`/messages/${id}`)).body.email
  await server.api.patch(`/messages/${id}`, { content: 'New text' })
  await server.db`update mailboxes set name = 'New name', signature = 'New signature' where id = ${sender.id}`
  sink.state.script = {}
  assert.partialDeepStrictEqual((await retry(id)).body, {
    delivery: { status: 'pending', error: null },
    email: { message_id, from_name: 'New name' },
  })
  assert.equal((await waitForDelivery(server, id)).status, 'sent')
  const { raw } = sink.mails[0]!
  assert.ok(refused[0]!.includes('Old text') && refused[0]!.includes(message_id))
  assert.ok(raw.includes('New text') && raw.includes(message_id) && raw.includes('New name'))
  assert.match(raw, /New signature/)
  assert.doesNotMatch(raw, /Old text/)
})

const gone = 'gone@example.com'

/** An email to Ann and to an address that the server refuses. */
async function sendToBoth(t: TestContext) {
  const sink = await startSink(t, {
    onRecipient: to => (to === gone ? reply(550, '5.1.1 No such user') : undefined),
  })
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const id = await postEmail(server, sender, { to: ['ann@example.com', gone] })
  return { sink, sender, id, delivery: await waitForDelivery(server, id) }
}

test('an email that reached some recipients is sent only to the others, with the same bytes', async t => {
  const { sink, sender, id, delivery } = await sendToBoth(t)
  assert.equal(delivery.status, 'sent')
  await server.db`update mailboxes set name = 'New name' where id = ${sender.id}`
  sink.state.script = {}
  assert.equal((await retry(id)).body.delivery.status, 'pending')
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.deepEqual(
    sink.mails.map(({ to }) => to),
    [['ann@example.com'], [gone]],
  )
  assert.equal(new Set(sink.mails.map(({ raw }) => raw)).size, 1)
  assert.deepEqual(await listRecipients(server, id), ['ann@example.com sent', `${gone} sent`])
})

test('a message that reached some recipients cannot be sent to the others after its mailbox was deleted', async t => {
  const { sender, id, delivery } = await sendToBoth(t)
  await server.db`delete from mailboxes where id = ${sender.id}`
  const { status, body } = await retry(id)
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body.detail, { field: 'message_id', reason: 'mailbox_cannot_send' })
  assert.deepEqual(await findDelivery(server, id), delivery)
  assert.deepEqual(await listRecipients(server, id), ['ann@example.com sent', `${gone} failed 550`])
})

test('a message that failed for no recipient, or is still pending, is not sent again', async t => {
  const sink = await startSink(t)
  const id = await postEmail(server, await openSender(server, sink))
  assert.partialDeepStrictEqual((await retry(id)).body.detail, { reason: 'not_failed', status: 'pending' })
  sendMails(t, server)
  await waitForDelivery(server, id)
  const { status, body } = await retry(id)
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body.detail, { field: 'message_id', reason: 'not_failed', status: 'sent' })
  assert.equal(sink.mails.length, 1)
})
