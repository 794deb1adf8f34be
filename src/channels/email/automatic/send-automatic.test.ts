import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { deliver, listAutomatic, listMessages, openAnswering } from '../../../../test/mail/automatic.ts'
import { type Receiving, startReceiving } from '../../../../test/mail/receiving.ts'
import { sendMails, waitForDelivery } from '../../../../test/mail/sending.ts'
import { startSink } from '../../../../test/mail/sink.ts'
import type { WrittenMail } from '../../../../test/mail/write-mail.ts'
import { joinProject } from '../../../../test/operator.ts'
import type { NewMailbox } from '../mailboxes/mailbox.ts'

/** The content of acknowledgements and away messages, and their effect on the ticket. */

let receiving: Receiving
before(async () => {
  receiving = await startReceiving()
})
after(() => receiving.close())

const get = async (path: string) => (await receiving.server.api.get(path)).body

/** Delivers an email to a mailbox that acknowledges emails, and returns what was sent. */
async function deliverAndCollect(
  t: TestContext,
  mail: Partial<WrittenMail> = {},
  fields: Partial<NewMailbox> = {},
) {
  const sink = await startSink(t)
  const mailbox = await openAnswering(receiving, sink, fields)
  sendMails(t, receiving.server)
  const { id, ticketId } = await deliver(receiving, mailbox.address, {
    from: 'Ann <ann@example.com>',
    ...mail,
  })
  await receiving.server.db`delete from automatic_emails`
  const messages = await listAutomatic(receiving, ticketId)
  for (const message of messages) await waitForDelivery(receiving.server, message.id)
  return { id, ticketId, mailbox, messages, mails: sink.mails }
}

const setHours = (hours: unknown) => receiving.server.db`
  insert into widgets (project_id, settings)
    values (${receiving.server.acme.id}, jsonb_build_object('hours', ${receiving.server.db.json(hours as never)}::jsonb))
  on conflict (project_id) do update set settings = excluded.settings`
const closed = { timezone: 'UTC', days: [] }
const open = {
  timezone: 'UTC',
  days: [1, 2, 3, 4, 5, 6, 7].map(day => ({ day, from: '00:00', to: '24:00' })),
}

test('an email that opens a ticket gets an acknowledgement that is marked as automatic', async t => {
  const { id, ticketId, mailbox, messages, mails } = await deliverAndCollect(t, {
    subject: 'My lamp',
    text: 'It is dark',
  })
  assert.equal(mails.length, 1)
  const [{ from, to, raw }] = mails as [(typeof mails)[0]]
  assert.deepEqual([from, to], ['', ['ann@example.com']])
  assert.match(raw, /^Auto-Submitted: auto-replied\r$/m)
  assert.match(raw, /^X-Auto-Response-Suppress: All\r$/m)
  assert.match(raw, /^Subject: Re: My lamp\r$/m)
  assert.match(raw, new RegExp(`^In-Reply-To: <${id}>\r$`, 'm'))
  assert.match(raw, new RegExp(`^From: Acme Support\\s+<${mailbox.address}>\r$`, 'm'))
  assert.doesNotMatch(raw, /It is dark/)
  const { short_id } = await get(`/tickets/${ticketId}`)
  assert.match(messages[0]!.content, new RegExp(`^Hello,\n\n.* reference number is ${short_id}\\.$`))
  assert.equal(messages[0]!.email!.class, 'auto_reply')
})

test('an acknowledgement is neither a reply nor the last message, even after a message is split off', async t => {
  const { id, ticketId, mailbox } = await deliverAndCollect(t)
  const check = async () => {
    const ticket = await get(`/tickets/${ticketId}`)
    assert.partialDeepStrictEqual(ticket, { status: 'new', first_reply_at: null, first_bot_reply_at: null })
    assert.equal(ticket.waiting_since, ticket.last_contact_message_at)
    assert.equal(ticket.last_message.sender_type, 'contact')
  }
  await check()
  const second = await deliver(receiving, mailbox.address, { from: 'ann@example.com', answers: id })
  assert.equal(second.ticketId, ticketId)
  const olga = await joinProject(receiving.server, receiving.server.acme, { role: 'owner' })
  const { id: lastId } = (await listMessages(receiving, ticketId)).findLast(
    one => one.sender_type === 'contact',
  )!
  const split = await olga.api.post(`/tickets/${ticketId}/split`, { message_ids: [lastId] })
  assert.equal(split.status, 201, split.text)
  await check()
})

test("a later reply quotes the contact's email, not the acknowledgement", async t => {
  const { ticketId, mails } = await deliverAndCollect(t, { text: 'It is dark' })
  const reply = await receiving.server.api.post(`/tickets/${ticketId}/messages`, {
    content: 'Change the bulb.',
  })
  assert.equal(reply.status, 201, reply.text)
  await waitForDelivery(receiving.server, reply.body.id)
  const { from, raw } = mails.at(-1)!
  assert.notEqual(from, '')
  assert.match(raw, /> It is dark/)
  assert.doesNotMatch(raw, /Your reference number is/)
  assert.doesNotMatch(raw, /^(?:Auto-Submitted|X-Auto-Response-Suppress):/m)
})

test('a mailbox sends no acknowledgement unless an admin has turned it on', async t => {
  const { messages } = await deliverAndCollect(t, {}, { sends_acknowledgement: false })
  assert.deepEqual(messages, [])
})

test('outside office hours, the away message is sent instead of the acknowledgement', async t => {
  t.after(() => setHours(null))
  const away = { sends_away: true, texts: { en: { away: 'We are asleep.' } } }
  await setHours(closed)
  assert.deepEqual(
    (await deliverAndCollect(t, {}, away)).messages.map(one => one.content),
    ['We are asleep.'],
  )
  const alone = await deliverAndCollect(t, {}, { ...away, sends_acknowledgement: false })
  assert.deepEqual(
    alone.messages.map(one => one.content),
    ['We are asleep.'],
  )
  await setHours(open)
  const [acknowledgement] = (await deliverAndCollect(t, {}, away)).messages
  assert.match(acknowledgement!.content, /We have received it and will reply/)
  assert.deepEqual((await deliverAndCollect(t, {}, { ...away, sends_acknowledgement: false })).messages, [])
})

test('no away message is sent if the project has no office hours', async t => {
  const { messages } = await deliverAndCollect(t, {}, { sends_away: true, sends_acknowledgement: false })
  assert.deepEqual(messages, [])
})

test("the text is in the contact's language, otherwise in the email's, otherwise in the project's", async t => {
  const { db, api } = receiving.server
  const contentFor = async (from: string, headers: string[]) =>
    (await deliverAndCollect(t, { from, headers })).messages[0]!.content
  assert.match(await contentFor('de@lang.example', ['Content-Language: de-AT, en']), /^Guten Tag,/)
  await api.post('/contacts', { email: 'fr@lang.example', language: 'fr' })
  assert.match(await contentFor('fr@lang.example', ['Content-Language: de']), /^Bonjour,/)
  assert.match(await contentFor('xx@lang.example', ['Content-Language: sw']), /^Hello,/)
  await db`update projects set default_locale = 'es'`
  t.after(() => db`update projects set default_locale = 'en'`)
  assert.match(await contentFor('es@lang.example', []), /^Hola:/)
})

test("a project's own text replaces Deskbell's, and its placeholders are filled in", async t => {
  const acknowledgement =
    'Hi {{contact.full_name|there}}, “{{ticket.subject}}” is #{{ticket.short_id}} {{x.y}}'
  const fields = { texts: { en: { acknowledgement } } }
  const named = await deliverAndCollect(t, { from: 'Bea Lee <bea@own.example>', subject: 'My lamp' }, fields)
  const { short_id } = await get(`/tickets/${named.ticketId}`)
  assert.equal(named.messages[0]!.content, `Hi Bea Lee, “My lamp” is #${short_id} {{x.y}}`)
  const nameless = await deliverAndCollect(t, { from: 'cid@own.example' }, fields)
  assert.match(nameless.messages[0]!.content, /^Hi there,/)
  const german = await deliverAndCollect(
    t,
    { from: 'dan@own.example', headers: ['Content-Language: de'] },
    fields,
  )
  assert.match(german.messages[0]!.content, /^Guten Tag,/)
})
