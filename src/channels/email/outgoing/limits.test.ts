import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { openFileContext } from '../../../../test/file-context.ts'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import {
  findDelivery,
  openSender,
  postEmail,
  sendMails,
  sendThrough,
  waitForDelivery,
} from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { writeMail } from '../../../../test/mail/write-mail.ts'
import { until } from '../../../../test/until.ts'
import { makeUpload } from '../../../../test/upload.ts'

/** Limits of the sending server, and the Message-IDs that it assigns. */

let receiving: Receiving
const context = openFileContext()

before(async () => {
  receiving = await startReceiving()
  context.after(() => receiving.close())
})

test('a mailbox sends at most as many emails a minute as its rate allows, and the rest later', async t => {
  const { server } = receiving
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  await server.db`update mailboxes set send_rate = 3 where id = ${sender.id}`
  const ids = []
  for (let count = 0; count < 5; count++) ids.push(await postEmail(server, sender))
  sendMails(t, server)
  await until(() => sink.mails.length === 3)
  await until(
    async () => (await server.db`select from outgoing_queue where claim_id is not null`).length === 0,
  )
  // Another mailbox has its own rate.
  const other = await openSender(server, sink)
  await waitForDelivery(server, await postEmail(server, other))
  assert.equal(sink.mails.length, 4)
  await server.db`update outgoing_emails set sent_at = sent_at - interval '1 minute' where mailbox_id = ${sender.id}`
  for (const id of ids) await waitForDelivery(server, id)
  assert.equal(sink.mails.length, 6)
})

test('a file that is too large to attach is sent as a link that works for 30 days', async t => {
  const { server } = receiving
  const sink = await startSink(t)
  const sender = await openSender(server, sink)
  sendMails(t, server)
  const [small, large] = [
    await makeUpload(server.api, { content: 'A small file', filename: 'small.txt' }),
    await makeUpload(server.api, { content: 'A large file', filename: 'large.txt' }),
  ]
  await server.db`update media set size = 26000000 where id = ${large.id}`
  const id = await postEmail(server, sender, { media_ids: [small.id, large.id] })
  await waitForDelivery(server, id)
  await server.db`update media set size = ${large.size} where id = ${large.id}`
  const raw = sink.mails[0]!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  assert.match(raw, /filename=small\.txt/)
  assert.doesNotMatch(raw, /filename=large\.txt/)
  const [, path, expires] = new RegExp(`(/api/media/${large.id}\\?exp=(\\d+)&sig=[0-9a-f]{64})`).exec(raw)!
  const site = new URL(server.url).origin
  const response = await fetch(site + path)
  assert.deepEqual([response.status, await response.text()], [200, 'A large file'])
  const days = (Number(expires) - Date.now() / 1_000) / 86_400
  assert.ok(days > 29 && days <= 30, `${days} days`)
})

test('a reply that refers to the Message-ID assigned by the sending server joins the ticket', async t => {
  const { server } = receiving
  const given = '<AS8PR01MB1234@AS8PR01MB1234.eurprd01.prod.outlook.com>'
  const sink = await startSink(t, {
    words: `2.0.0 OK ${given} [Hostname=AS8PR01MB1234.eurprd01.prod.outlook.com]`,
  })
  const support = 'support@outlook.example.com'
  const { id } = await openMailbox(receiving, support)
  await sendThrough(server, id, sink)
  sendMails(t, server)
  const from = 'ann@customer.example'
  const question = await receive(receiving, support, writeMail({ from, to: support }).raw)
  const { body } = await server.api.post(`/tickets/${question.ticket_id}/messages`, { content: 'An answer' })
  await waitForDelivery(server, body.id)
  assert.ok(!sink.mails[0]!.raw.includes(given))
  const answer = writeMail({ from, to: support, subject: 'Something else', answers: given.slice(1, -1) })
  const { outcome, ticket_id } = await receive(receiving, support, answer.raw)
  assert.deepEqual([outcome, ticket_id], ['in_reply_to', question.ticket_id])
  assert.equal((await findDelivery(server, body.id)).status, 'sent')
})
