import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertEnvelope } from '../../../test/client.ts'
import { openFileContext } from '../../../test/file-context.ts'
import { beginVerified, startChatByEmail, support } from '../../../test/mail/chat-by-email.ts'
import { mailListen, receive } from '../../../test/mail/receiving.ts'
import type { SunkMail } from '../../../test/mail/sink.ts'
import { writeMail } from '../../../test/mail/write-mail.ts'
import { joinProject } from '../../../test/operator.ts'
import { startServer, type TestServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { makeUpload } from '../../../test/upload.ts'
import { ask, begin, reply } from '../../../test/widget.ts'

/** Copies of conversations by email. */

const context = openFileContext()
let server: TestServer
let desk: Awaited<ReturnType<typeof startChatByEmail>>
const prechat = { key: 'email', type: 'email', labels: {}, is_required: false }

before(async () => {
  server = await startServer({ delivers: false, config: { visitorsPerIp: 1e6, mailListen } })
  desk = await startChatByEmail(context, server, { prechat_fields: [prechat] })
})
after(() => server.close())

const mailTo = (address: string): Promise<SunkMail> =>
  until(() => desk.sink.mails.find(({ to }) => to.includes(address)))
const countTo = (address: string): number => desk.sink.mails.filter(({ to }) => to.includes(address)).length

async function openAnswered(place: object = {}) {
  const ann = await beginVerified(server, place)
  const ticket = await ask(ann)
  await reply(desk.omar, ticket.id, 'It is **on its way**', { content_format: 'markdown' })
  await reply(desk.omar, ticket.id, 'She is angry', { is_internal: true })
  const copy = () => ann.api.post(`/tickets/${ticket.id}/transcript`)
  return { ann, ticket, copy }
}

const systemOf = async (ticketId: string) =>
  (await server.api.get(`/tickets/${ticketId}/messages?sender_type=system`)).body.items.filter(
    ({ system }: { system: { kind: string } }) => system.kind === 'transcript_sent',
  )

test('a visitor gets a copy of the public messages in their language, and its delivery is recorded', async () => {
  const { ann, ticket, copy } = await openAnswered({ locale: 'de' })
  assert.equal((await ann.api.get(`/tickets/${ticket.id}`)).body.is_emailable, true)
  assert.equal((await copy()).status, 204)
  const { raw, from } = await mailTo(ann.email)
  assert.equal(from, '')
  assert.match(raw, /^Subject: Ihre Unterhaltung mit Acme\r$/m)
  assert.match(raw, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(raw, /Hier ist eine Kopie/)
  assert.ok(raw.indexOf('Where is my order?') < raw.indexOf('Omar'), raw)
  assert.match(raw, /<strong>on its way<\/strong>/)
  assert.doesNotMatch(raw, /angry/)
  const sent = await until(async () => {
    const [message] = await systemOf(ticket.id)
    return message.delivery.status !== 'pending' && message
  })
  assert.partialDeepStrictEqual(sent, {
    ...{ is_internal: true, system: { data: { address: ann.email, by: null } } },
    ...{ delivery: { status: 'sent' }, email: { to: [ann.email], class: 'automated' } },
  })
})

test('a reply to the copy joins the ticket', async () => {
  const { ann, ticket, copy } = await openAnswered()
  await copy()
  const answers = /^Message-ID:\s+<(\S+)>/im.exec((await mailTo(ann.email)).raw)![1]!
  const mail = writeMail({ from: ann.email, answers, subject: 'Re: Your conversation', text: 'Thanks' })
  assert.equal((await receive(desk.receiving, support, mail.raw)).ticket_id, ticket.id)
})

test('files are links that work without a login', async () => {
  const { ann, ticket, copy } = await openAnswered()
  const file = await makeUpload(server.api)
  await reply(desk.omar, ticket.id, 'Here', { media_ids: [file.id] })
  await copy()
  const { raw } = await mailTo(ann.email)
  assert.doesNotMatch(raw, /Content-Disposition: attachment/i)
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const path = new RegExp(`/api/media/${file.id}\\?[^\\s"<]+`).exec(text)![0].replaceAll('&amp;', '&')
  assert.equal((await fetch(new URL(path, server.url))).status, 200)
})

test('a visitor gets one copy in ten minutes, and five a day', async () => {
  const { ann, ticket, copy } = await openAnswered()
  const answers = [await copy(), await copy()]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 409],
  )
  assertEnvelope(answers[1]!, 409, 'NOT_POSSIBLE', { reason: 'transcript_sent' })
  const passTime = (minutes: number) => server.db`
    update messages set created_at = created_at - make_interval(mins => ${minutes})
    where ticket_id = ${ticket.id} and sender_type = 'system'`
  for (let sent = 1; sent < 5; sent++) {
    await passTime(11)
    assert.equal((await copy()).status, 204)
  }
  await passTime(11)
  assertEnvelope(await copy(), 409, 'NOT_POSSIBLE', { reason: 'transcript_sent' })
  await passTime(24 * 60)
  assert.equal((await copy()).status, 204)
  await until(() => countTo(ann.email) === 6)
})

test('a copy is sent to a typed address only after an operator has replied', async () => {
  const guest = await begin(server)
  const email = 'stranger@example.com'
  const ticket = await ask(guest, { fields: { email }, content: 'Buy cheap lamps' })
  await server.api.post(`/tickets/${ticket.id}/messages`, { content: 'Hello from a bot' })
  const copy = () => guest.api.post(`/tickets/${ticket.id}/transcript`)
  assert.equal((await guest.api.get(`/tickets/${ticket.id}`)).body.is_emailable, false)
  assertEnvelope(await copy(), 409, 'NOT_POSSIBLE', { reason: 'not_answered' })
  await reply(desk.omar, ticket.id, 'We have lamps')
  assert.equal((await copy()).status, 204)
  assert.match((await mailTo(email)).raw, /We have lamps/)
})

test('no copy is sent without an address or without a mailbox that can send', async t => {
  const guest = await begin(server)
  const ticket = await ask(guest)
  await reply(desk.omar, ticket.id, 'Hello')
  const copy = await guest.api.post(`/tickets/${ticket.id}/transcript`)
  assertEnvelope(copy, 409, 'NOT_POSSIBLE', { reason: 'no_address' })
  const answered = await openAnswered()
  await server.db`update mailboxes set sending = 'none' where id = ${desk.mailbox.id}`
  t.after(() => server.db`update mailboxes set sending = 'smtp' where id = ${desk.mailbox.id}`)
  assertEnvelope(await answered.copy(), 409, 'NOT_POSSIBLE', { reason: 'no_mailbox' })
})

test('an operator can send a copy and is named as its sender, and other projects cannot send one', async () => {
  const { ann, ticket } = await openAnswered()
  const rita = await joinProject(server, server.rival, { name: 'Rita' })
  assertEnvelope(await rita.api.post(`/tickets/${ticket.id}/transcript`), 404, 'TICKET_NOT_FOUND')
  assert.equal((await desk.omar.api.post(`/tickets/${ticket.short_id}/transcript`)).status, 204)
  await mailTo(ann.email)
  const [message] = await systemOf(ticket.id)
  assert.deepEqual(message.system.data, { address: ann.email, by: { id: desk.omar.id, name: 'Omar' } })
})
