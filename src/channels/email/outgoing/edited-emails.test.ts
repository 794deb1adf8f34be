import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startHeldSink } from '../../../../test/mail/held-sink.ts'
import {
  findDelivery,
  listRecipients,
  openEmailTicket,
  openSender,
  postEmail,
  quickTimes,
  sendMails,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { reply, startSink } from '../../../../test/mail/sink.ts'
import { startServer, type TestServer } from '../../../../test/server.ts'
import { until } from '../../../../test/until.ts'

/** Messages that are edited or deleted before their email is sent. */

let server: TestServer

before(async () => {
  server = await startServer({ delivers: false })
})
after(() => server.close())

async function edit(id: string, content = 'New text') {
  const { status, body } = await server.api.patch(`/messages/${id}`, { content })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

const hasNew = ({ raw }: { raw: string }): boolean => raw.includes('New text')

test('editing a message before its email is sent changes the email', async t => {
  const sink = await startSink(t)
  const id = await postEmail(server, await openSender(server, sink), { content: 'Old text' })
  assert.partialDeepStrictEqual((await edit(id)).delivery, { status: 'pending', error: null })
  sendMails(t, server)
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.deepEqual(sink.mails.map(hasNew), [true])
  assert.doesNotMatch(sink.mails[0]!.raw, /Old text/)
})

test('the next attempt for a deferred email sends the edited text', async t => {
  const sink = await startSink(t, { onMail: mail => (hasNew(mail) ? 'accept' : reply(451, 'Later')) })
  const id = await postEmail(server, await openSender(server, sink))
  sendMails(t, server, { ...quickTimes, pauses: Array(500).fill(50) })
  await until(async () => (await findDelivery(server, id)).attempts > 0)
  assert.equal((await edit(id)).delivery.status, 'pending')
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.deepEqual(sink.mails.map(hasNew), [true])
})

test('an edit aborts an email before its final dot, and the email is sent with the new text', async t => {
  const { sink, asked, release } = await startHeldSink(t)
  const id = await postEmail(server, await openSender(server, sink))
  sendMails(t, server)
  await asked
  assert.partialDeepStrictEqual((await edit(id)).delivery, { status: 'pending', error: null })
  release()
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error: null })
  assert.deepEqual(sink.mails.map(hasNew), [true])
})

test('an edit after the final dot does not change the email, and the message says so', async t => {
  const { promise, resolve } = Promise.withResolvers<void>()
  t.after(() => resolve())
  const sink = await startSink(t, {
    async onMail() {
      await promise
      return 'accept' as const
    },
  })
  const id = await postEmail(server, await openSender(server, sink))
  sendMails(t, server)
  await until(
    async () =>
      (await server.db`select from outgoing_queue where message_id = ${id} and phase = 'ending'`).length > 0,
  )
  const error = 'edit_not_propagated'
  assert.partialDeepStrictEqual(await edit(id), {
    content: 'New text',
    delivery: { status: 'pending', error },
  })
  resolve()
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'sent', error })
  assert.deepEqual(sink.mails.map(hasNew), [false])
})

test('once one recipient has the email, an edit does not change it for the others', async t => {
  let isReady = false
  const sink = await startSink(t, {
    onRecipient: to => (to.startsWith('busy') && !isReady ? reply(450, '4.2.1 Busy') : undefined),
  })
  const sender = await openSender(server, sink)
  const id = await postEmail(server, sender, { to: ['ann@example.com', 'busy@example.com'] })
  sendMails(t, server, { ...quickTimes, pauses: Array(500).fill(50) })
  await until(() => sink.mails.length === 1)
  await until(async () => (await listRecipients(server, id)).includes('ann@example.com sent'))
  assert.equal((await edit(id)).delivery.error, 'edit_not_propagated')
  isReady = true
  const delivery = await waitForDelivery(server, id)
  assert.partialDeepStrictEqual(delivery, { status: 'sent', error: 'edit_not_propagated' })
  assert.deepEqual(sink.mails.map(hasNew), [false, false])
})

test('deleting a message while its email is being sent stops the email', async t => {
  const { sink, asked, release } = await startHeldSink(t)
  const id = await postEmail(server, await openSender(server, sink))
  sendMails(t, server)
  await asked
  await server.db`update messages set deleted_at = now() where id = ${id}`
  release()
  assert.partialDeepStrictEqual(await waitForDelivery(server, id), { status: 'failed', error: 'deleted' })
  assert.equal(sink.mails.length, 0)
})

test('erasing the contact while an email is being sent stops the email', async t => {
  const { sink, asked, release } = await startHeldSink(t)
  const sender = await openSender(server, sink)
  const id = await postEmail(server, sender)
  sendMails(t, server)
  await asked
  await server.db`delete from messages where id = ${id}`
  assert.equal((await server.db`select from outgoing_queue where message_id = ${id}`).length, 0)
  release()
  await waitForDelivery(server, await postEmail(server, sender, { content: 'Another' }))
  assert.deepEqual(
    sink.mails.map(({ raw }) => raw.includes('Another')),
    [true],
  )
})

test('editing an internal note does not set a delivery error', async () => {
  const ticket = await openEmailTicket(server)
  const note = { content: 'A note', is_internal: true }
  const { body } = await server.api.post(`/tickets/${ticket.id}/messages`, note)
  assert.partialDeepStrictEqual((await edit(body.id)).delivery, { status: 'sent', error: null })
})
