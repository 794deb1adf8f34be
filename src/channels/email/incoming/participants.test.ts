import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openMailbox, type Receiving, receive, startReceiving } from '../../../../test/mail/receiving.ts'
import { newId } from '../../../core/ids.ts'

/** Whose replies join a ticket, and how people change that. */

const support = 'support@acme.example'
let receiving: Receiving
let count = 0

before(async () => {
  receiving = await startReceiving()
  await openMailbox(receiving, support, { aliases: ['help@acme.example'] })
})
after(() => receiving.close())

async function send(from: string, { cc = '', answers = '', subject = 'Lamp' } = {}) {
  const id = `p${++count}@mail.example`
  const lines = [
    `From: ${from}`,
    `To: ${support}`,
    ...(cc ? [`Cc: ${cc}`] : []),
    ...(answers ? [`In-Reply-To: <${answers}>`] : []),
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    'Date: Thu, 05 Nov 2026 10:00:00 +0000',
    '',
    `Number ${count}`,
    '',
  ]
  return { ...(await receive(receiving, support, lines.join('\r\n'))), id }
}

type Sent = Awaited<ReturnType<typeof send>>

const open = (cc = 'Ben <ben@example.com>, help@acme.example') =>
  send(`Ann Lee <ann${count}@example.com>`, { cc })

const pathOf = ({ ticket_id }: Sent) => `/tickets/${ticket_id}/participants`

async function put(ticket: Sent, ...addresses: string[]) {
  const participants = addresses.map(address => ({ address }))
  return receiving.server.api.put(pathOf(ticket), { participants })
}

const reasonsOf = async (ticket: Sent) =>
  Object.fromEntries(
    (await receiving.server.api.get(pathOf(ticket))).body.items.map(
      ({ address, reason }: { address: string; reason: string }) => [address, reason],
    ),
  )

const joins = async (ticket: Sent, from: string) =>
  (await send(from, { answers: ticket.id })).ticket_id === ticket.ticket_id

test("lists the contact and the people in the ticket's emails, without our mailboxes and operators", async () => {
  const { db, acme, api } = receiving.server
  await db`
    insert into operators (project_id, id, name, email) values (${acme.id}, ${newId()}, 'Omar', 'omar@acme.example')`
  const ticket = await send('Ann Lee <ann@example.com>', {
    cc: 'Ben <ben@example.com>, help@acme.example, support+r.1@acme.example, omar@acme.example',
  })
  assert.deepEqual((await api.get(pathOf(ticket))).body.items, [
    { address: 'ann@example.com', name: 'Ann Lee', reason: 'contact' },
    { address: 'ben@example.com', name: null, reason: 'email' },
  ])
})

test('a reply from someone who was added joins the ticket', async () => {
  const ticket = await open()
  assert.equal(await joins(ticket, 'carla@example.com'), false)
  const { status, body } = await put(ticket, 'ben@example.com', 'Carla@example.com')
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body.items.at(-1), { address: 'carla@example.com', reason: 'added' })
  assert.equal(await joins(ticket, 'carla@example.com'), true)
})

test('a reply from someone who was removed opens a ticket of its own, until they are added again', async () => {
  const ticket = await open()
  assert.equal(await joins(ticket, 'ben@example.com'), true)
  await put(ticket)
  assert.equal((await reasonsOf(ticket))['ben@example.com'], 'removed')
  assert.equal(await joins(ticket, 'ben@example.com'), false)
  await put(ticket, 'ben@example.com')
  assert.equal(await joins(ticket, 'ben@example.com'), true)
})

test('the contact remains a participant', async () => {
  const ticket = await open()
  await put(ticket)
  assert.deepEqual(Object.values(await reasonsOf(ticket)), ['contact', 'removed'])
})

test('refuses mailboxes and operators as participants, and changes nothing', async () => {
  const ticket = await open()
  for (const address of ['HELP@acme.example', 'support+r.1@acme.example', 'omar@acme.example']) {
    const { status, body } = await put(ticket, address)
    assert.equal(status, 422)
    assert.equal(body.detail.reason, 'own_address')
  }
  assert.equal((await reasonsOf(ticket))['ben@example.com'], 'email')
})

test('people who were added to a merged ticket are participants of the ticket that remains', async () => {
  const [source, target] = [await open(), await open()]
  await put(source, 'ben@example.com', 'carla@example.com')
  await receiving.server.api.post(`/tickets/${source.ticket_id}/merge`, {
    into_ticket_id: target.ticket_id,
    force: true,
  })
  assert.equal((await reasonsOf(target))['carla@example.com'], 'added')
  assert.deepEqual(await reasonsOf(source), await reasonsOf(target))
})

test('another project neither sees nor changes the participants', async () => {
  const ticket = await open()
  const { outsider } = receiving.server
  assert.equal((await outsider.get(pathOf(ticket))).status, 404)
  assert.equal((await outsider.put(pathOf(ticket), { participants: [] })).status, 404)
  assert.equal((await reasonsOf(ticket))['ben@example.com'], 'email')
})

test('an email that is split off opens a ticket for its sender, and replies to it follow', async () => {
  const ticket = await open()
  const other = await send('ben@example.com', { answers: ticket.id, subject: 'My own question' })
  const later = await send('ben@example.com', { answers: ticket.id })
  assert.deepEqual([other.ticket_id, later.ticket_id], [ticket.ticket_id, ticket.ticket_id])
  const { api, outsider } = receiving.server
  const path = `/messages/${other.message_id}/split`
  assert.equal((await outsider.post(path, {})).status, 404)
  const { status, body } = await api.post(path, { with_later: true })
  assert.equal(status, 201)
  assert.equal(body.subject, 'My own question')
  assert.equal(body.contact.email, 'ben@example.com')
  const moved = await api.get(`/messages/${later.message_id}`)
  assert.equal(moved.body.ticket_id, body.id)
  const { email } = (await api.get(`/messages/${other.message_id}`)).body
  assert.equal(email.thread_reason, 'by_hand')
  assert.match(email.thread_evidence, /^made_by_hand: /)
  assert.deepEqual(email.warnings, [])
  const answer = await send('ben@example.com', { answers: other.id })
  assert.equal(answer.ticket_id, body.id)
})

test('splitting off one message leaves the later messages of its sender', async () => {
  const ticket = await open()
  const other = await send('ben@example.com', { answers: ticket.id })
  const later = await send('ben@example.com', { answers: ticket.id })
  await receiving.server.api.post(`/messages/${other.message_id}/split`)
  assert.equal(
    (await receiving.server.api.get(`/messages/${later.message_id}`)).body.ticket_id,
    ticket.ticket_id,
  )
})
