import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { makeTicket } from '../../../../test/cast.ts'
import { openFileContext } from '../../../../test/file-context.ts'
import { type NoticeMail, type Notices, startNotices } from '../../../../test/mail/notices.ts'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { sendMails, sendThrough } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import { type WrittenMail, writeMail } from '../../../../test/mail/write-mail.ts'
import { joinProject, type Person } from '../../../../test/operator.ts'
import { until } from '../../../../test/until.ts'
import { ask, begin, reply, switchOn } from '../../../../test/widget.ts'
import { makeNoticeAddress } from '../../../mail/tokens.ts'

/** Operators' replies to emails about their tickets. */

const support = 'support@acme.example'
const mailServer = 'mx.acme.example'
let receiving: Receiving
let notices: Notices
let olga: Person
let omar: Person
const context = openFileContext()

before(async () => {
  receiving = await startReceiving()
  context.after(() => receiving.close())
  const { acme } = receiving.server
  await openMailbox(receiving, support, { authserv_ids: [mailServer] })
  ;[olga, omar] = await Promise.all([
    joinProject(receiving.server, acme, { name: 'Olga', role: 'owner', email: 'olga@acme.example' }),
    joinProject(receiving.server, acme, { name: 'Omar', email: 'omar@acme.example' }),
  ])
  notices = await startNotices(receiving.server, context)
  await switchOn(receiving.server, acme)
})

const dmarc = (result: string): string =>
  `Authentication-Results: ${mailServer}; dmarc=${result} header.from=acme.example`

/** Olga assigns a ticket to Omar, who gets an email about it. */
async function assign(id: string): Promise<NoticeMail & { ticketId: string }> {
  await olga.api.patch(`/tickets/${id}`, { operator_id: omar.id })
  return { ...(await notices.sendOne()), ticketId: id }
}

/** The same with a ticket from the chat. */
async function assignChat() {
  const guest = await begin(receiving.server)
  const ticket = await ask(guest, { content: 'My lamp is dark.' })
  return { guest, notice: await assign(ticket.id) }
}

async function answer(
  { replyTo, messageId, subject }: NoticeMail,
  mail: Partial<WrittenMail> = {},
  from = omar.email,
) {
  const written = writeMail({
    ...{ from, to: replyTo!, answers: messageId, subject: `Re: ${subject}`, text: 'A new one is coming.' },
    ...mail,
  })
  return receive(receiving, replyTo!, written.raw)
}

const messagesOf = async (ticketId: string) =>
  (await receiving.server.api.get(`/tickets/${ticketId}/messages?include_internal=true`)).body.items.filter(
    (one: { sender_type: string }) => one.sender_type !== 'system',
  )

const lastOf = async (ticketId: string) => (await messagesOf(ticketId)).at(-1)

/** The text of the email as a mail program quotes it. */
async function quote({ ticketId }: { ticketId: string }): Promise<string> {
  const [row] = await receiving.server.db<{ content: string }[]>`
    select content from notice_emails where ticket_id = ${ticketId}`
  return row!.content.trim().replaceAll(/^/gm, '> ').replaceAll('\n', '\r\n')
}

test("an operator's reply to the email becomes a reply in the chat, without quoted text", async () => {
  const { guest, notice } = await assignChat()
  assert.match(notice.replyTo!, /^support\+n\.[a-z2-7.]+@acme\.example$/)
  assert.match(notice.text, /Reply to this email to answer/)
  const said = 'On Thu, 5 Nov 2026 at 10:00, Acme <desk@example.com> wrote:'
  const body = `A new one is coming.\r\n\r\n${said}\r\n${await quote(notice)}`
  const { outcome } = await answer(notice, { text: body })
  assert.equal(outcome, 'reply_token')
  const message = await lastOf(notice.ticketId)
  assert.partialDeepStrictEqual(message, {
    ...{ sender_type: 'operator', sender_name: 'Omar', is_internal: false, content: 'A new one is coming.' },
    ...{ delivery: { status: 'sent' }, email: { thread_reason: 'reply_token', to: [support] } },
  })
  const { items } = (await guest.api.get(`/tickets/${notice.ticketId}/messages`)).body
  const shown = items.find((one: { sender_type: string }) => one.sender_type === 'operator')
  assert.match(JSON.stringify(shown), /A new one is coming\./)
  assert.equal(JSON.stringify(items).includes(omar.email), false)
})

test('a reply between the lines of quoted text does not show the reply address', async () => {
  const { guest, notice } = await assignChat()
  const said = `On Thu, 5 Nov 2026 at 10:00, Acme <${notice.replyTo}> wrote:`
  const text = `See below.\r\n\r\n${said}\r\n> Something else\r\nA new one is coming.\r\n> And another\r\nTomorrow.`
  await answer(notice, { text })
  const message = await lastOf(notice.ticketId)
  assert.match(message.content, /<support@acme\.example> wrote:/)
  assert.doesNotMatch(JSON.stringify(message), /n\.[a-z2-7]{26}\.[a-z2-7]{16}/)
  const { items } = (await guest.api.get(`/tickets/${notice.ticketId}/messages`)).body
  assert.doesNotMatch(JSON.stringify(items), /n\.[a-z2-7]{26}\.[a-z2-7]{16}/)
})

test("in an email ticket, the operator's reply is sent to the customer", async t => {
  const sink = await startSink(t)
  const { db, acme } = receiving.server
  const [mailbox] = await db<{ id: string }[]>`select id from mailboxes where address = ${support}`
  await sendThrough(receiving.server, mailbox!.id, sink)
  sendMails(t, receiving.server)
  const question = writeMail({ from: 'ann@example.com', subject: 'My lamp' })
  const { ticket_id } = await receive(receiving, support, question.raw)
  const notice = await assign(ticket_id!)
  await answer(notice)
  await until(() => sink.mails.length === 1)
  const { to, raw } = sink.mails[0]!
  assert.deepEqual(to, ['ann@example.com'])
  assert.match(raw, /^Subject: Re: My lamp/m)
  assert.match(raw, /A new one is coming\./)
  assert.equal(raw.includes(notice.replyTo!), false)
  await db`update mailboxes set sending = 'none' where project_id = ${acme.id}`
})

test('a reply to a mention becomes an internal note', async () => {
  const ticket = await makeTicket(receiving.server.api)
  await reply(olga, ticket.id, 'What do you think?', { is_internal: true, mentions: [omar.id] })
  const notice = await notices.sendOne()
  assert.match(notice.text, /Reply to this email to add an internal note/)
  await answer(notice, { text: 'Refund it.' })
  assert.partialDeepStrictEqual(await lastOf(ticket.id), {
    ...{ sender_type: 'operator', sender_name: 'Omar', is_internal: true, content: 'Refund it.' },
  })
})

test('a reply address verifies its operator even if DMARC failed, but only for the first reply', async () => {
  const { notice } = await assignChat()
  assert.equal((await answer(notice, { headers: [dmarc('fail')] })).outcome, 'reply_token')
  assert.deepEqual((await lastOf(notice.ticketId)).email.warnings, ['unverified'])
  assert.equal((await answer(notice, { headers: [dmarc('fail')] })).outcome, 'operator_unverified')
  assert.equal((await answer(notice, { headers: [dmarc('pass')] })).outcome, 'reply_token')
  assert.equal((await messagesOf(notice.ticketId)).length, 3)
})

test("an email to another operator's reply address is held", async () => {
  const { notice } = await assignChat()
  const held = await answer(notice, { headers: [dmarc('pass')] }, olga.email)
  assert.equal(held.outcome, 'operator_unverified')
  assert.equal((await messagesOf(notice.ticketId)).length, 1)
})

test("a stranger who knows an operator's reply address opens a separate ticket", async () => {
  const { notice } = await assignChat()
  const { outcome, ticket_id } = await answer(notice, {}, 'eve@example.com')
  assert.equal(outcome, 'new')
  assert.notEqual(ticket_id, notice.ticketId)
  assert.equal((await messagesOf(notice.ticketId)).length, 1)
})

test('emails to a forged reply address, or to that of an operator who has left, are not added to the ticket', async () => {
  const pia = await joinProject(receiving.server, receiving.server.acme, {
    name: 'Pia',
    email: 'pia@acme.example',
  })
  const ticket = await makeTicket(receiving.server.api, { content: 'Hello' })
  await olga.api.patch(`/tickets/${ticket.id}`, { operator_id: pia.id })
  const notice = await notices.sendOne()
  const forged = {
    ...notice,
    replyTo: notice.replyTo!.replace(/.@/, found => (found === 'a@' ? 'q@' : 'a@')),
  }
  await answer(forged, {}, pia.email)
  await olga.api.delete(`/operators/${pia.id}`)
  await answer(notice, { headers: [dmarc('pass')] }, pia.email)
  assert.equal((await messagesOf(ticket.id)).length, 1)
})

test('a reply address of another project does not work', async () => {
  const { server: running } = receiving
  const { notice } = await assignChat()
  await openMailbox(receiving, 'help@rival.example', {}, running.rival)
  await joinProject(running, running.rival, { name: 'Omar', email: omar.email }).catch(() => null)
  const [row] = await running.db<{ id: string }[]>`
    select id from notice_emails where ticket_id = ${notice.ticketId}`
  const replyTo = makeNoticeAddress(running.vault.derive('mail'), 'help@rival.example', row!.id)!
  const written = writeMail({ from: omar.email, to: replyTo, subject: 'Re: Lamp' })
  const { ticket_id } = await receive(receiving, replyTo, written.raw, running.rival)
  assert.notEqual(ticket_id, notice.ticketId)
  assert.equal((await messagesOf(notice.ticketId)).length, 1)
})

test('a reply about a merged ticket is added to the ticket that it was merged into', async () => {
  const { db } = receiving.server
  const { notice } = await assignChat()
  const target = await makeTicket(receiving.server.api, { content: 'Hello' })
  await olga.api.post(`/tickets/${notice.ticketId}/merge`, { into_ticket_id: target.id, force: true })
  assert.equal((await answer(notice)).ticket_id, target.id)
  await db`delete from notice_emails where operator_id = ${omar.id}`
  assert.equal((await answer(notice)).outcome, 'operator_unverified', 'the reply address has expired')
})

test('without a mailbox that receives email at plus addresses, the email says to open the ticket', async () => {
  const { db } = receiving.server
  await db`update mailboxes set plus_works = false where address = ${support}`
  const { notice } = await assignChat()
  assert.equal(notice.replyTo, null)
  assert.match(notice.text, /Open the ticket to reply/)
  await db`update mailboxes set plus_works = null where address = ${support}`
})
