import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { type WrittenMail, writeMail } from '../../../../test/mail/write-mail.ts'
import { until } from '../../../../test/until.ts'
import { newId } from '../../../core/ids.ts'

/** Replies that operators write in their own mail program. */

const support = 'support@acme.example'
const omar = 'omar@acme.example'
let receiving: Receiving
let mailboxId: string
let count = 0

before(async () => {
  receiving = await startReceiving()
  const { db, acme } = receiving.server
  const { id } = await openMailbox(receiving, support, { authserv_ids: ['mx.acme.example'] })
  mailboxId = id
  await db`update mailboxes set sending = 'installation' where id = ${id}`
  await db`
    insert into operators (project_id, id, name, email) values (${acme.id}, ${newId()}, 'Omar', ${omar})`
})
after(() => receiving.close())

async function deliver(mail: WrittenMail) {
  const { id, raw } = writeMail(mail)
  const { ticket_id, message_id } = await receive(receiving, support, raw)
  const { body } = await receiving.server.api.get(`/messages/${message_id}`)
  return { id, ticketId: ticket_id!, message: body }
}

/** Ann writes to us, and Omar answers her email. */
async function answer(mail: Partial<WrittenMail>, cc = 'ben@example.com') {
  const ann = `ann${++count}@example.com`
  const first = await deliver({ from: ann, cc, subject: 'My lamp' })
  const headers = ['Authentication-Results: mx.acme.example; dmarc=pass header.from=acme.example']
  const reply = await deliver({ from: omar, answers: first.id, subject: 'Re: My lamp', headers, ...mail })
  assert.equal(reply.ticketId, first.ticketId)
  assert.equal(reply.message.sender_type, 'operator')
  return { ann, first, reply }
}

test("an operator's email to the mailbox is sent to the contact, with the reason why it is in the ticket", async () => {
  const { ann, first, reply } = await answer({})
  const { email, delivery } = reply.message
  assert.equal(delivery.status, 'pending')
  assert.partialDeepStrictEqual(email, {
    ...{ from: support, from_name: 'Omar', to: [ann], cc: ['ben@example.com'], subject: 'Re: My lamp' },
    ...{ in_reply_to: `<${first.id}>`, mailbox_id: mailboxId },
    ...{ thread_reason: 'in_reply_to', thread_evidence: `in_reply_to: ${first.id}`, has_raw: true },
    authentication: { dmarc: 'pass' },
  })
  assert.notEqual(email.message_id, `<${reply.id}>`)
})

test("an operator's email does not return to the operator, nor to those who have it already", async () => {
  const { ann, reply } = await answer(
    { cc: 'carl@example.com' },
    `${omar}, ben@example.com, carl@example.com`,
  )
  assert.partialDeepStrictEqual(reply.message.email, { to: [ann], cc: ['ben@example.com'] })
  assert.equal(reply.message.email.cc.includes(omar), false)
})

test("an operator's email that went to the contact too is not sent again", async () => {
  const to = `ann${count + 1}@example.com`
  const { reply } = await answer({ to, cc: support })
  assert.partialDeepStrictEqual(reply.message, {
    delivery: { status: 'sent', error: null },
    email: { message_id: `<${reply.id}>`, from: omar, to: [to], cc: [support] },
  })
})

test("reading an operator's email again keeps its recipients", async () => {
  const { reply } = await answer({})
  const { api, db } = receiving.server
  const { id, content, email } = reply.message
  await db`update messages set content = 'Misread' where id = ${id}`
  const [mail] = (await api.get(`/mail-log?q=${reply.id}`)).body.items
  assert.equal((await api.post(`/mail-log/${mail.id}/reparse`)).status, 202)
  await until(async () => (await api.get(`/mail-log/${mail.id}`)).body.state !== 'stored')
  const { body } = await api.get(`/messages/${id}`)
  assert.deepEqual([body.content, body.email], [content, email])
})

test("an operator's automatic reply becomes a note and is not sent", async () => {
  const headers = ['Authentication-Results: mx.acme.example; dmarc=pass', 'Auto-Submitted: auto-replied']
  const { reply } = await answer({ headers })
  assert.partialDeepStrictEqual(reply.message, { is_internal: true, email: { from: omar } })
})
