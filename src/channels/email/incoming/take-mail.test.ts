import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitTickets } from '../../../../test/cast.ts'
import { deliverByLmtp } from '../../../../test/dovecot.ts'
import { openMailbox, receive, startSupport } from '../../../../test/mail/receiving.ts'
import { makeMail } from '../../../../test/mail.ts'
import { until } from '../../../../test/until.ts'

/** How emails become messages, for cases that the corpus does not cover. */

const support = 'support@example.com'
const { receiving, get } = await startSupport(support)

test('opens a ticket with the subject, text and sender of an email', async () => {
  const mail = await receive(receiving, support, makeMail('A broken lamp', 'It does not light up.'))
  const ticket = await get(`/tickets/${mail.ticket_id}`)
  const message = await get(`/messages/${mail.message_id}`)
  assert.partialDeepStrictEqual(ticket, {
    subject: 'A broken lamp',
    channel: 'email',
    status: 'new',
    over_limit: false,
  })
  assert.partialDeepStrictEqual(message, {
    content: 'It does not light up.',
    sender_type: 'contact',
    channel: 'email',
  })
  assert.partialDeepStrictEqual(message.email, {
    from: 'ann@example.com',
    thread_reason: 'new',
    class: 'person',
  })
})

test("the mail log shows an email's outcome, ticket and message", async () => {
  const mail = await receive(receiving, support, makeMail('In the log'))
  const [logged] = (await get('/mail-log')).items
  assert.partialDeepStrictEqual(logged, {
    state: 'done',
    outcome: 'new',
    subject: 'In the log',
    ticket_id: mail.ticket_id,
    message_id: mail.message_id,
  })
})

test('an email from an existing contact emits ticket and message events but no contact event', async () => {
  const { db, acme } = receiving.server
  const rows = await db<{ type: string }[]>`select distinct type from events where project_id = ${acme.id}`
  const types = rows.map(({ type }) => type)
  assert.ok(types.includes('ticket.created') && types.includes('message.created'))
  assert.deepEqual(
    types.filter(type => type.startsWith('contact.')),
    [],
  )
})

test('creates one message from two simultaneous copies of an email', async () => {
  const { server, port } = receiving
  const mail = makeMail('Twice')
  await Promise.all([deliverByLmtp(port, support, mail), deliverByLmtp(port, support, mail)])
  const states = await until(async () => {
    const rows = await server.db`
      select state from incoming_mails where subject = 'Twice' and state <> 'stored'`
    return rows.length === 2 && rows.map(row => row.state).sort()
  })
  assert.deepEqual(states, ['done', 'duplicate'])
})

test('accepts an email over the monthly ticket limit and marks its ticket', async () => {
  const { db, acme } = receiving.server
  await limitTickets(db, acme, 1)
  const mail = await receive(receiving, support, makeMail('Over the limit'))
  assert.equal((await get(`/tickets/${mail.ticket_id}`)).over_limit, true)
  await limitTickets(db, acme, 1_000_000)
})

test('logs an email from a blocked contact without opening a ticket', async () => {
  const { api } = receiving.server
  const first = await receive(receiving, support, makeMail('Before'))
  const { contact_id } = await get(`/tickets/${first.ticket_id}`)
  await api.patch(`/contacts/${contact_id}`, { is_blocked: true })
  const mail = await receive(receiving, support, makeMail('After'))
  assert.partialDeepStrictEqual(mail, { state: 'done', outcome: 'contact_blocked', ticket_id: null })
  await api.patch(`/contacts/${contact_id}`, { is_blocked: false })
})

test('moves the part of a text that exceeds the length of a message to a file', async () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `Line ${at} of a very long complaint about a lamp.`)
  const mail = await receive(receiving, support, makeMail('Long', lines.join('\r\n')))
  const { content, media, email } = await get(`/messages/${mail.message_id}`)
  assert.ok(content.length <= 65_536 && content.endsWith('lamp.'))
  assert.deepEqual(email.truncated, ['content'])
  assert.partialDeepStrictEqual(media, [{ filename: 'message.txt' }])
  assert.ok(media[0].size > lines.join('\n').length - 10)
})

test("an integration's message in an email ticket has the delivery status pending", async () => {
  const { ticket_id } = await receive(receiving, support, makeMail('Question'))
  await receiving.server.db`update mailboxes set sending = 'installation' where address = ${support}`
  const { status, body } = await receiving.server.api.post(`/tickets/${ticket_id}/messages`, {
    content: 'Answer',
  })
  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, { channel: 'email', delivery: { status: 'pending', attempts: 0 } })
})

test('each project sees only its own email', async () => {
  const { server } = receiving
  await openMailbox(receiving, 'help@rival.example', {}, server.rival)
  const mail = await receive(receiving, 'help@rival.example', makeMail('For Rival'), server.rival)
  assert.equal((await server.api.get(`/tickets/${mail.ticket_id}`)).status, 404)
  assert.equal((await server.api.get(`/messages/${mail.message_id}`)).status, 404)
  assert.ok((await get('/mail-log')).items.every((one: { subject: string }) => one.subject !== 'For Rival'))
})

test('a reply that arrives while the email that it answers is being handled joins its ticket', async () => {
  const { server, port } = receiving
  const file = Buffer.alloc(6 * 2 ** 20, 'x')
    .toString('base64')
    .replaceAll(/.{76}/g, '$&\r\n')
  const question = [
    'From: Ann <ann@example.com>',
    `To: ${support}`,
    'Subject: With a large file',
    'Message-ID: <large@example.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b\r\nContent-Type: text/plain\r\n\r\nSee the file.',
    '--b\r\nContent-Type: application/octet-stream; name="a.bin"\r\nContent-Transfer-Encoding: base64\r\n',
    file,
    '--b--',
    '',
  ].join('\r\n')
  const reply = makeMail('Re: With a large file', 'One more thing.').replace(
    /^Subject/m,
    'In-Reply-To: <large@example.com>\r\nSubject',
  )
  await deliverByLmtp(port, support, question)
  await deliverByLmtp(port, support, reply)
  const rows = await until(async () => {
    const found = await server.db`
      select ticket_id, outcome from incoming_mails where subject like '%With a large file' and state = 'done' order by id`
    return found.length === 2 && found
  })
  assert.equal(rows[1]!.outcome, 'in_reply_to')
  assert.equal(rows[1]!.ticket_id, rows[0]!.ticket_id)
})

test('a reply does not wait for an older email that is being retried', async () => {
  const { server, port } = receiving
  const failing = await receive(receiving, support, makeMail('Fails'))
  const retryIn = (minutes: number) => server.db`
    update incoming_mails set state = 'stored', attempts = 3, last_error = 'x', due_at = now() + make_interval(mins => ${minutes})
    where id = ${failing.id}`
  await retryIn(10)
  const reply = makeMail('Re: Something', 'Hello?').replace(
    /^Subject/m,
    'In-Reply-To: <unknown@example.com>\r\nSubject',
  )
  await deliverByLmtp(port, support, reply)
  await until(async () => {
    const [row] = await server.db`select state from incoming_mails where subject = 'Re: Something'`
    return row?.state === 'done'
  })
  await server.db`update incoming_mails set state = 'done' where id = ${failing.id}`
})
