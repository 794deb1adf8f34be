import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { newId } from '../../../core/ids.ts'

/** What forged senders can and cannot do. Only Authentication-Results of the trusted server count. */

const support = 'support@acme.example'
const omar = { id: newId(), email: 'omar@acme.example' }
let receiving: Receiving

before(async () => {
  receiving = await startReceiving()
  const { db, acme } = receiving.server
  await openMailbox(receiving, support, {
    authserv_ids: ['mx.acme.example'],
    form_senders: ['form@acme.example'],
  })
  await db`
    insert into operators (project_id, id, name, email) values (${acme.id}, ${omar.id}, 'Omar', ${omar.email})`
})
after(() => receiving.close())

let count = 0

interface Letter {
  from: string
  subject?: string
  text?: string
  dmarc?: 'pass' | 'fail'
  headers?: string[]
}

function write({ from, subject = 'Hello', text = 'Hello', dmarc, headers = [] }: Letter) {
  const id = `forged.${++count}@mail.example`
  const domain = from.split('@')[1]
  const lines = [
    ...(dmarc ? [`Authentication-Results: mx.acme.example; dmarc=${dmarc} header.from=${domain}`] : []),
    `From: ${from}`,
    `To: ${support}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    'Date: Thu, 05 Nov 2026 10:00:00 +0000',
    ...headers,
    '',
    text,
    '',
  ]
  return { id, raw: lines.join('\r\n') }
}

async function send(letter: Letter) {
  const { id, raw } = write(letter)
  return { ...(await receive(receiving, support, raw)), id }
}

const get = async (path: string) => (await receiving.server.api.get(path)).body

const messagesOf = async (ticketId: string | null) => (await get(`/tickets/${ticketId}/messages`)).items

const forward = [
  'Please refund him.',
  '',
  '---------- Forwarded message ---------',
  'From: Tina Vogel <tina@example.net>',
  'Date: Wed, Nov 4, 2026 at 9:00 AM',
  'Subject: Chair',
  `To: <${omar.email}>`,
  '',
  'The chair squeaks.',
].join('\r\n')

test("the comment above an unverified forward is not in the operator's name", async () => {
  const { outcome, ticket_id } = await send({ from: omar.email, subject: 'Fwd: Chair', text: forward })
  assert.equal(outcome, 'forwarded')
  const [message, note] = await messagesOf(ticket_id)
  assert.ok(message.email.warnings.includes('operator_unverified'))
  assert.deepEqual(message.email.reply_to, ['tina@example.net'])
  assert.partialDeepStrictEqual(note, { sender_type: 'bot', sender_name: omar.email, is_internal: true })
})

test("the comment above a verified forward is the operator's note", async () => {
  const letter = {
    from: omar.email,
    subject: 'Fwd: Chair',
    text: `${forward}\r\nAgain.`,
    dmarc: 'pass' as const,
  }
  const [, note] = await messagesOf((await send(letter)).ticket_id)
  assert.partialDeepStrictEqual(note, { sender_type: 'operator', sender_id: omar.id, is_internal: true })
})

test('a forward whose DMARC check failed is an ordinary email of its sender', async () => {
  const { outcome } = await send({ from: omar.email, subject: 'Fwd: Chair', text: forward, dmarc: 'fail' })
  assert.equal(outcome, 'new')
})

test("an operator's reply counts only if verified, and then acts like a reply in the dashboard", async () => {
  const question = await send({ from: 'ann@example.com', subject: 'Lamp' })
  const headers = [`In-Reply-To: <${question.id}>`]
  const forged = await send({ from: omar.email, subject: 'Re: Lamp', headers })
  assert.partialDeepStrictEqual(forged, { state: 'parked', outcome: 'operator_unverified', message_id: null })
  const genuine = await send({
    from: omar.email,
    subject: 'Re: Lamp',
    text: 'It is on its way.',
    headers,
    dmarc: 'pass',
  })
  assert.equal(genuine.ticket_id, question.ticket_id)
  assert.partialDeepStrictEqual(await get(`/messages/${genuine.message_id}`), {
    sender_type: 'operator',
    sender_id: omar.id,
  })
  assert.partialDeepStrictEqual(await get(`/tickets/${question.ticket_id}`), {
    status: 'pending',
    operator_id: omar.id,
  })
})

test("an operator's automatic reply becomes a note, because the contact must not get it", async () => {
  const question = await send({ from: 'mia@example.com', subject: 'Chair' })
  const headers = [`In-Reply-To: <${question.id}>`, 'Auto-Submitted: auto-replied']
  const away = { from: omar.email, subject: 'Away: Chair', text: 'Back on Monday.', headers }
  const reply = await send({ ...away, dmarc: 'pass' })
  assert.equal(reply.ticket_id, question.ticket_id)
  assert.partialDeepStrictEqual(await get(`/messages/${reply.message_id}`), {
    sender_type: 'operator',
    is_internal: true,
    delivery: { status: 'sent' },
  })
  assert.partialDeepStrictEqual(await get(`/tickets/${question.ticket_id}`), {
    status: 'new',
    operator_id: null,
  })
})

test("many forged emails do not join the tickets of the address's owner, and do not limit the owner", async () => {
  const from = 'vera@example.org'
  const genuine = await send({ from, subject: 'Genuine', dmarc: 'pass' })
  const forged = { from, headers: ['Cc: eve@evil.example'], dmarc: 'fail' as const }
  for (let count = 0; count < 10; count++) assert.equal((await send(forged)).outcome, 'new')
  const joined = await send(forged)
  assert.equal(joined.outcome, 'loop_suspected')
  assert.notEqual(joined.ticket_id, genuine.ticket_id)
  assert.equal((await send({ from, subject: 'Also genuine', dmarc: 'pass' })).outcome, 'new')
})

test("in a ticket whose contact has an operator's address, emails from it are the contact's", async () => {
  const first = await send({ from: omar.email, subject: 'My payslip' })
  const headers = [`In-Reply-To: <${first.id}>`]
  const second = await send({ from: omar.email, subject: 'Re: My payslip', text: 'More', headers })
  assert.equal(second.ticket_id, first.ticket_id)
  assert.equal((await get(`/messages/${second.message_id}`)).sender_type, 'contact')
})

test('a failed DMARC check counts even if a form or our own address is in From', async () => {
  const question = await send({ from: 'paul@example.net', subject: 'Sofa' })
  const { short_id } = await get(`/tickets/${question.ticket_id}`)
  const headers = ['X-Original-From: paul@example.net']
  const subject = `Sofa [#${short_id}]`
  const forged = await send({ from: support, subject, headers, dmarc: 'fail' })
  assert.notEqual(forged.ticket_id, question.ticket_id)
  assert.equal(forged.outcome, 'new_unverified')
})

test('recipients of an unverified email that named the ticket by its number do not become participants', async () => {
  const question = await send({ from: 'kai@example.org', subject: 'Desk' })
  const { short_id } = await get(`/tickets/${question.ticket_id}`)
  const subject = `Desk [#${short_id}]`
  const forged = await send({ from: 'kai@example.org', subject, headers: ['Cc: eve@evil.example'] })
  assert.equal(forged.ticket_id, question.ticket_id)
  const eve = await send({ from: 'eve@evil.example', headers: [`In-Reply-To: <${question.id}>`] })
  assert.equal(eve.outcome, 'new_stranger')
})

test("a stranger's email with the same Thread-Index does not take over the conversation", async () => {
  const index = Buffer.alloc(22, 7).toString('base64')
  const headers = [`Thread-Index: ${index}`]
  const question = await send({ from: 'lea@example.org', subject: 'Rug', headers })
  assert.equal(
    (await send({ from: 'mallory@evil.example', subject: 'Rug', headers })).outcome,
    'new_stranger',
  )
  const copying = { from: 'eve@evil.example', subject: 'Rug', headers: [...headers, 'Cc: lea@example.org'] }
  assert.equal((await send(copying)).outcome, 'new_stranger')
  const next = await send({ from: 'lea@example.org', subject: 'AW: Rug', text: 'Next', headers })
  assert.partialDeepStrictEqual(next, { outcome: 'thread_index', ticket_id: question.ticket_id })
})

test('a reply to a ticket that was closed long ago opens a follow-up with the subject of the email', async () => {
  const { api, db } = receiving.server
  const question = await send({ from: 'nina@example.org', subject: 'Invoice 7' })
  await api.post(`/tickets/${question.ticket_id}/close`, {})
  await db`update tickets set closed_at = closed_at - interval '60 days' where id = ${question.ticket_id}`
  const headers = [`In-Reply-To: <${question.id}>`]
  const reply = await send({
    from: 'nina@example.org',
    subject: 'Re: Invoice 7',
    text: 'Still open',
    headers,
  })
  assert.partialDeepStrictEqual(await get(`/tickets/${reply.ticket_id}`), {
    subject: 'Re: Invoice 7',
    follow_up_of_id: question.ticket_id,
  })
})
