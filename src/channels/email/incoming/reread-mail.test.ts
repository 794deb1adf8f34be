import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOf } from '../../../../test/cast.ts'
import { receive, startSupport } from '../../../../test/mail/receiving.ts'
import { makeMail } from '../../../../test/mail.ts'
import { joinProject } from '../../../../test/operator.ts'
import { until } from '../../../../test/until.ts'

/** Reading the original of a message again. The tests change rows to what an earlier version might have stored. */

const support = 'support@example.com'
const { receiving, get } = await startSupport(support)
const { api, db, acme } = receiving.server

type Handled = Awaited<ReturnType<typeof receive>>

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const part = (headers: string[], body: string): string => ['--b', ...headers, '', body].join('\r\n')

/** An email with an image in its text and an attachment. */
const richMail = (subject: string): string => {
  const parts = [
    part(['Content-Type: text/html; charset=utf-8'], '<p>Look: <img src="cid:pic"></p>'),
    part(['Content-Type: image/png', 'Content-ID: <pic>', 'Content-Transfer-Encoding: base64'], pixel),
    part(['Content-Type: text/plain; name="lamp.txt"', 'Content-Disposition: attachment'], 'A lamp'),
    '--b--\r\n',
  ]
  return makeMail(subject, parts.join('\r\n')).replace(
    'Date:',
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\nDate:',
  )
}

const handled = (id: string) =>
  until(async () => {
    const entry = await get(`/mail-log/${id}`)
    return entry.state !== 'stored' && entry
  })

async function readAgain({ id }: Pick<Handled, 'id'>) {
  const answer = await api.post(`/mail-log/${id}/reparse`)
  assert.equal(answer.status, 202, answer.text)
  return handled(id)
}

/** The message with its quotes and headers. */
const showMessage = async (id: string | null) => ({
  ...(await get(`/messages/${id}`)),
  details: await get(`/messages/${id}/email`),
})

/** Everything except the fields that change with every change to the message. */
const withoutVersion = ({ version, updated_at, ...message }: Record<string, unknown>) => message

/** The fields that change with the last message of a ticket. */
const stateOf = async ({ ticket_id }: Handled) => {
  const { updated_at, version, ...ticket } = await get(`/tickets/${ticket_id}`)
  return ticket
}

/** Answers the email in its ticket and quotes it. */
const answerTo = (mail: string, body: string): string => {
  const [, id] = /^Message-ID: <(.*)>/im.exec(mail)!
  return makeMail('Re: Quotes', body).replace('Date:', `In-Reply-To: <${id}>\r\nDate:`)
}

test('replaces the text, the names and the email fields that an earlier version read wrongly, without an event', async () => {
  const mail = await receive(receiving, support, makeMail('Grün', 'Schöne Grüße'))
  const [before, ticket] = [await showMessage(mail.message_id), await stateOf(mail)]
  const wrong = { from_name: 'An?', class: 'automated' }
  await db`
    update messages set content = 'Sch?ne Gr??e', content_html = '<p>Sch?ne</p>', sender_name = 'An?', email = email || ${db.json(wrong)}
    where project_id = ${acme.id} and id = ${mail.message_id}`
  await db`update mail_details set quoted_text = '> old', headers = '[]' where message_id = ${mail.message_id}`
  let entry: Record<string, unknown>
  const events = await eventsOf(receiving.server, async () => {
    entry = await readAgain(mail)
  })
  assert.deepEqual(events, [])
  assert.partialDeepStrictEqual(entry!, { state: 'done', outcome: 'new', message_id: mail.message_id })
  assert.deepEqual(entry!.changes, [
    ...['content', 'content_html', 'sender_name', 'quoted_text', 'headers'],
    ...['email.from_name', 'email.class'],
  ])
  const after = await showMessage(mail.message_id)
  assert.deepEqual(withoutVersion(after), withoutVersion(before))
  assert.equal(after.edited_at, null)
  assert.ok(after.updated_at > before.updated_at)
  assert.deepEqual(await stateOf(mail), ticket)
  assert.equal((await get(`/tickets?q=${encodeURIComponent('Schöne Grüße')}`)).items.length, 1)
})

test('changes nothing if the email is read as before', async () => {
  const mail = await receive(receiving, support, richMail('As before'))
  const before = await showMessage(mail.message_id)
  assert.deepEqual((await readAgain(mail)).changes, [])
  assert.deepEqual(await showMessage(mail.message_id), before)
})

test('adds missing files, does not duplicate the others, and corrects their names', async () => {
  const mail = await receive(receiving, support, richMail('Files'))
  const before = await showMessage(mail.message_id)
  const [image, text] = before.media
  await db`update media set message_id = null where project_id = ${acme.id} and id = ${image.id}`
  await db`update media set filename = 'l?mp' where project_id = ${acme.id} and id = ${text.id}`
  const { changes } = await readAgain(mail)
  assert.deepEqual(changes, ['content_html', 'media', 'email.inline_media_ids'])
  const { media, content_html, email } = await showMessage(mail.message_id)
  assert.equal(media.length, 2)
  assert.notEqual(media[0].id, image.id)
  assert.partialDeepStrictEqual(media[1], { id: text.id, filename: 'lamp.txt' })
  assert.deepEqual(email.inline_media_ids, [media[0].id])
  assert.match(content_html, new RegExp(`src="/api/v1/media/${media[0].id}"`))
  assert.deepEqual((await readAgain(mail)).changes, [])
})

test('keeps text that a person edited', async () => {
  const mail = await receive(receiving, support, makeMail('Edited', 'My card is 1234'))
  await api.patch(`/messages/${mail.message_id}`, { content: 'My card is (removed)' })
  assert.deepEqual((await readAgain(mail)).changes, [])
  assert.equal((await get(`/messages/${mail.message_id}`)).content, 'My card is (removed)')
})

test('keeps the reason for the ticket and the results of the sender check', async () => {
  const mail = await receive(receiving, support, makeMail('Checked'))
  const kept = { thread_reason: 'subject', authentication: { dmarc: 'pass', spf: 'pass', dkim: 'pass' } }
  await db`
    update messages set email = email || ${db.json(kept)} where project_id = ${acme.id} and id = ${mail.message_id}`
  assert.deepEqual((await readAgain(mail)).changes, [])
  assert.partialDeepStrictEqual((await get(`/messages/${mail.message_id}`)).email, kept)
})

test('finds the quote again after the message has moved to another ticket', async () => {
  const question = makeMail('Quotes', 'The lamp in the hall does not light up at all.')
  await receive(receiving, support, question)
  const quoting = 'Any news?\r\n\r\n> The lamp in the hall does not light up at all.'
  const mail = await receive(receiving, support, answerTo(question, quoting))
  const before = await showMessage(mail.message_id)
  assert.equal(before.details.quoted_text, '> The lamp in the hall does not light up at all.')
  await api.post(`/messages/${mail.message_id}/split`)
  assert.deepEqual((await readAgain(mail)).changes, [])
  const after = await showMessage(mail.message_id)
  assert.deepEqual([after.content, after.details.quoted_text], [before.content, before.details.quoted_text])
})

test('an operator’s reply is not mistaken for a loop, and keeps the name of the operator', async () => {
  const omar = await joinProject(receiving.server, acme, { name: 'Omar' })
  const question = makeMail('Quotes', 'Where is my lamp?')
  await receive(receiving, support, question)
  await db`update mailboxes set authserv_ids = '{mx.example.com}' where project_id = ${acme.id}`
  const reply = answerTo(question, 'On its way')
    .replace('Ann <ann@example.com>', omar.email)
    .replace('Date:', 'Authentication-Results: mx.example.com; dmarc=pass\r\nDate:')
  const mail = await receive(receiving, support, reply)
  const before = await showMessage(mail.message_id)
  assert.equal(before.sender_type, 'operator')
  assert.deepEqual((await readAgain(mail)).changes, [])
  assert.deepEqual(await showMessage(mail.message_id), before)
})

test('reading again, editing and splitting at the same time leave one message with the edited text in the new ticket', async () => {
  const question = makeMail('Quotes', 'First of two')
  const first = await receive(receiving, support, question)
  const mail = await receive(receiving, support, answerTo(question, 'Second of two'))
  assert.equal(mail.ticket_id, first.ticket_id)
  const [, edited, split] = await Promise.all([
    api.post(`/mail-log/${mail.id}/reparse`),
    api.patch(`/messages/${mail.message_id}`, { content: 'Edited' }),
    api.post(`/messages/${mail.message_id}/split`),
  ])
  assert.deepEqual([edited.status, split.status], [200, 201])
  await handled(mail.id)
  const { content, ticket_id } = await get(`/messages/${mail.message_id}`)
  assert.deepEqual([content, ticket_id], ['Edited', split.body.id])
  assert.equal(
    (await get(`/tickets/${ticket_id}/messages`)).items.filter(
      (one: { sender_type: string }) => one.sender_type !== 'system',
    ).length,
    1,
  )
})
