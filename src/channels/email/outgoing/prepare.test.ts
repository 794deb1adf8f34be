import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { type WrittenMail, writeMail } from '../../../../test/mail/write-mail.ts'
import { joinProject, type Person } from '../../../../test/operator.ts'
import { makeMessageId, makeReplyAddress } from '../../../mail/tokens.ts'

/** What a reply by email looks like, and what can be chosen for it. */

const support = 'support@acme.example'
let receiving: Receiving
let omar: Person
let mailboxId: string
let count = 0

async function openSending(address: string, sending = 'installation') {
  const { id } = await openMailbox(receiving, address, { name: `Name of ${address.split('@')[0]}` })
  await receiving.server.db`update mailboxes set sending = ${sending} where id = ${id}`
  return id
}

before(async () => {
  receiving = await startReceiving()
  mailboxId = await openSending(support)
  omar = await joinProject(receiving.server, receiving.server.acme, { name: 'Omar' })
})
after(() => receiving.close())

async function open(mail: Partial<WrittenMail> = {}, to = support) {
  const { id, raw } = writeMail({ from: `ann${++count}@example.com`, ...mail })
  const { ticket_id } = await receive(receiving, to, raw)
  return { id, ticketId: ticket_id!, path: `/tickets/${ticket_id}/messages` }
}

const post = (path: string, body: object = {}) =>
  receiving.server.api.post(path, { content: 'We will look.', ...body })

const emailOf = async (path: string, email: object | null = null) => {
  const { status, body } = await post(path, { email })
  assert.equal(status, 201, JSON.stringify(body))
  return body.email
}

async function assertRefused(path: string, email: object, field: string, reason: string): Promise<void> {
  const before = (await receiving.server.api.get(path)).body.items.length
  const { status, body } = await post(path, { email })
  assert.equal(status, 422)
  assert.partialDeepStrictEqual(body.detail, { field, reason })
  assert.equal((await receiving.server.api.get(path)).body.items.length, before)
}

test("an operator's reply has the mailbox's address, the names of both, and the IDs of the thread", async () => {
  const { id, ticketId, path } = await open({ subject: 'AW: Re: My lamp', cc: 'ben@example.com' })
  const { body } = await omar.api.post(path, { content: 'Hello' })
  assert.equal(body.delivery.status, 'pending')
  const key = receiving.server.vault.derive('mail')
  assert.deepEqual(
    { ...body.email, date: null, recipients: [] },
    {
      message_id: `<${makeMessageId(key, body.id, 'acme.example')}>`,
      in_reply_to: `<${id}>`,
      from: support,
      from_name: 'Omar (Name of support)',
      to: [`ann${count}@example.com`],
      cc: ['ben@example.com'],
      bcc: [],
      reply_to: [],
      subject: 'Re: My lamp',
      date: null,
      mailbox_id: mailboxId,
      thread_reason: 'sent',
      thread_evidence: null,
      related_ticket_id: null,
      warnings: [],
      class: 'person',
      authentication: { dmarc: 'none', spf: 'none', dkim: 'none' },
      spam: false,
      signature: null,
      encrypted: null,
      invitation: null,
      truncated: [],
      inline_media_ids: [],
      has_quote: false,
      has_raw: false,
      recipients: [],
    },
  )
  assert.deepEqual(
    body.email.recipients.map(({ address, status }: Record<string, string>) => `${address} ${status}`),
    [`ann${count}@example.com pending`, 'ben@example.com pending'],
  )
  assert.equal(body.email.date, body.created_at)
  assert.equal((await receiving.server.api.get(`/tickets/${ticketId}`)).body.subject, 'AW: Re: My lamp')
})

test('a reply to a mailbox that accepts tags asks for answers at the reply address of the ticket', async () => {
  const { db, vault } = receiving.server
  await db`update mailboxes set plus_works = true where id = ${mailboxId}`
  const { ticketId, path } = await open()
  const { reply_to, from_name } = await emailOf(path)
  assert.deepEqual(reply_to, [makeReplyAddress(vault.derive('mail'), support, ticketId)])
  assert.equal(from_name, 'Name of support')
  await db`update mailboxes set plus_works = null where id = ${mailboxId}`
})

test('an integration and an operator choose recipients, subject and mailbox', async () => {
  const other = await openSending('sales@acme.example')
  const { path } = await open({ cc: 'ben@example.com' })
  const email = {
    to: ['Carl@example.com', 'carl@example.com'],
    cc: ['dora@example.com', 'carl@EXAMPLE.com'],
    bcc: ['dora@example.com', 'eva@example.com'],
    subject: 'Your order',
    mailbox_id: other,
  }
  const expected = {
    ...{ to: ['Carl@example.com'], cc: ['dora@example.com'], bcc: ['eva@example.com'] },
    ...{ subject: 'Your order', mailbox_id: other, from: 'sales@acme.example' },
  }
  assert.partialDeepStrictEqual(await emailOf(path, email), expected)
  const { body } = await omar.api.post(path, { content: 'Hello', email })
  assert.partialDeepStrictEqual(body.email, expected)
})

test('chosen recipients in To replace the default ones in Cc, and a chosen Cc keeps the default To', async () => {
  const { path } = await open({ cc: 'ben@example.com' })
  const ann = [`ann${count}@example.com`]
  assert.partialDeepStrictEqual(await emailOf(path, { to: ['carl@example.com'] }), { cc: [] })
  assert.deepEqual((await emailOf(path, { cc: ['carl@example.com'] })).to, ann)
  assert.deepEqual((await emailOf(path, { subject: 'Other' })).cc, ['ben@example.com'])
})

test('a scheduled message has its recipients from the beginning, and returns them if it is withdrawn', async () => {
  const { path } = await open()
  const { body } = await post(path, { send_at: '2999-01-01', email: { cc: ['ben@example.com'] } })
  assert.equal(body.delivery.status, 'scheduled')
  assert.partialDeepStrictEqual(body.email, { cc: ['ben@example.com'], date: '2999-01-01T00:00:00.000000' })
  const { body: withdrawn } = await receiving.server.api.delete(`/messages/${body.id}`)
  assert.deepEqual(withdrawn.email, {
    ...{ to: [`ann${count}@example.com`], cc: ['ben@example.com'], bcc: [] },
    ...{ subject: 'Re: Lamp', mailbox_id: mailboxId },
  })
})

test('refuses mailboxes as recipients, invalid addresses, too many, none, and lines in a subject', async () => {
  const { path } = await open()
  await assertRefused(path, { to: ['Support+x@acme.example'] }, 'email.to', 'mailbox_address')
  await assertRefused(path, { bcc: [support] }, 'email.bcc', 'mailbox_address')
  await assertRefused(path, { to: [] }, 'email.to', 'required')
  const many = (prefix: string) => Array.from({ length: 60 }, (_, at) => `${prefix}${at}@example.com`)
  await assertRefused(path, { to: many('a'), cc: many('b') }, 'email', 'too_many')
  for (const email of [{ cc: ['nobody'] }, { subject: 'One\r\nBcc: eva@example.com' }])
    assert.equal((await post(path, { email })).status, 422)
})

test("refuses unknown mailboxes, other projects' and those that do not send", async () => {
  const { path } = await open()
  const { server } = receiving
  const foreign = await openMailbox(receiving, 'desk@rival.example', {}, server.rival)
  const silent = await openSending('silent@acme.example', 'none')
  await assertRefused(path, { mailbox_id: foreign.id }, 'email.mailbox_id', 'not_found')
  await assertRefused(path, { mailbox_id: silent }, 'email.mailbox_id', 'mailbox_cannot_send')
})

test('refuses `email` in tickets of other channels and in internal notes', async () => {
  const { api } = receiving.server
  const { body } = await api.post('/tickets', { contact: { email: 'ann@example.com' }, content: 'Hello' })
  await assertRefused(`/tickets/${body.id}/messages`, { cc: [] }, 'email', 'not_by_email')
  const { path } = await open()
  const note = await post(path, { is_internal: true, email: { cc: [] } })
  assert.equal(note.body.detail.reason, 'not_by_email')
})

test('an internal note has no `email`', async () => {
  const { path } = await open()
  assert.equal((await post(path, { is_internal: true })).body.email, null)
})

test('people we wrote to take part in the ticket, except those in Bcc', async () => {
  const { ticketId, path } = await open()
  await emailOf(path, { cc: ['carl@example.com'], bcc: ['eva@example.com'] })
  const { body } = await receiving.server.api.get(`/tickets/${ticketId}/participants`)
  assert.deepEqual(
    body.items.map((one: { address: string }) => one.address),
    [`ann${count}@example.com`, 'carl@example.com'],
  )
})

test('events do not contain Bcc', async () => {
  const { path } = await open()
  await emailOf(path, { bcc: ['hidden@example.com'] })
  const { body } = await receiving.server.api.get('/updates?after=0&timeout=0')
  assert.doesNotMatch(JSON.stringify(body), /hidden@example\.com/)
})

test('a message shows the status of each recipient', async () => {
  const { db, acme, api } = receiving.server
  const { path } = await open()
  const { body } = await post(path, { email: { to: ['ann@example.com'], bcc: ['eva@example.com'] } })
  await db`
    update mail_recipients set status = 'failed', code = '550', words = 'No such user'
    where project_id = ${acme.id} and message_id = ${body.id} and address = 'ann@example.com'`
  const { recipients } = (await api.get(`/messages/${body.id}`)).body.email
  assert.partialDeepStrictEqual(recipients, [
    {
      address: 'ann@example.com',
      name: null,
      kind: 'to',
      status: 'failed',
      code: '550',
      words: 'No such user',
    },
    { address: 'eva@example.com', kind: 'bcc', status: 'pending', code: null, words: null },
  ])
})

test('the mailbox is the one that received the newest email; if it was removed, one that sends', async () => {
  const { api, db } = receiving.server
  const other = await openSending('orders@acme.example')
  const { path, ticketId } = await open({ to: 'orders@acme.example' }, 'orders@acme.example')
  assert.equal((await emailOf(path)).mailbox_id, other)
  await db`update mailboxes set sending = 'none' where id = ${other}`
  assert.equal((await emailOf(path)).mailbox_id, other)
  await db`delete from mailboxes where id = ${other}`
  assert.equal((await emailOf(path)).mailbox_id, mailboxId)
  await db`update mailboxes set state = 'paused'`
  const { status, body } = await post(path)
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body.email, { mailbox_id: null, from: null, message_id: null })
  assert.equal((await api.get(`/tickets/${ticketId}/reply-recipients`)).body.mailbox_id, null)
  await db`update mailboxes set state = 'active'`
})

test('the recipients of the next reply are those that it gets, and another project cannot read them', async () => {
  const { api, outsider } = receiving.server
  const { path, ticketId } = await open({ cc: 'ben@example.com', subject: 'My order' })
  const address = `/tickets/${ticketId}/reply-recipients`
  const { body } = await api.get(address)
  assert.deepEqual(body, {
    mailbox_id: mailboxId,
    to: [`ann${count}@example.com`],
    cc: ['ben@example.com'],
    bcc: [],
    subject: 'Re: My order',
  })
  assert.deepEqual((await omar.api.get(address)).body, body)
  assert.partialDeepStrictEqual(await emailOf(path), body)
  assert.equal((await outsider.get(address)).status, 404)
  assert.equal((await outsider.post(path, { content: 'x', email: { to: ['eva@example.com'] } })).status, 404)
})
