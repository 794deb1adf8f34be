import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { deliverByLmtp } from '../../../../test/dovecot.ts'
import {
  openMailbox,
  type Receiving,
  receive,
  startReceiving,
  startReceivingIn,
} from '../../../../test/mail/receiving.ts'
import { until } from '../../../../test/until.ts'

/** Contacts who open many tickets by email, programs that answer, and changed subjects. */

const support = 'support@acme.example'
let receiving: Receiving
/** Handles the same emails concurrently, as a second process would. */
let other: { stop(): Promise<void> }

before(async () => {
  receiving = await startReceiving()
  other = await startReceivingIn(receiving.server)
  await openMailbox(receiving, support)
})
after(async () => {
  await other.stop()
  await receiving.close()
})

let count = 0

function write(from: string, subject: string, headers: string[] = []) {
  const id = `brakes.${++count}@mail.example`
  const lines = [
    `From: ${from}`,
    `To: ${support}`,
    `Subject: ${subject}`,
    `Message-ID: <${id}>`,
    'Date: Thu, 05 Nov 2026 10:00:00 +0000',
    ...headers,
  ]
  return { id, raw: `${lines.join('\r\n')}\r\n\r\nText ${count}\r\n` }
}

async function send(from: string, subject: string, headers: string[] = []) {
  const { id, raw } = write(from, subject, headers)
  return { ...(await receive(receiving, support, raw)), id }
}

interface LoggedMail {
  state: string
  outcome: string
  ticket_id: string
}

/** Delivers emails concurrently and returns what became of them, in order of their tickets' creation. */
async function sendMany(from: string, total: number, headers: string[] = []): Promise<LoggedMail[]> {
  const { server, port } = receiving
  const first = count + 1
  const mails = Array.from({ length: total }, () => write(from, `Alert ${count}`, headers))
  await Promise.all(mails.map(({ raw }) => deliverByLmtp(port, support, raw)))
  const ids = mails.map((_, at) => `brakes.${first + at}@mail.example`)
  return until(async () => {
    const rows = await server.db<LoggedMail[]>`
      select i.state, i.outcome, i.ticket_id from incoming_mails i join tickets t on t.id = i.ticket_id
      where i.header_id = any(${ids as never}) order by t.created_at, t.id, i.id`
    return rows.length === total && [...rows]
  })
}

const get = async (path: string) => (await receiving.server.api.get(path)).body
const messagesOf = async (ticketId: string | null) => (await get(`/tickets/${ticketId}/messages`)).items
const notesOf = async (ticketId: string | null, kind: string) =>
  (await messagesOf(ticketId)).filter((one: { system: { kind: string } | null }) => one.system?.kind === kind)
const ticketsOf = (mails: LoggedMail[]) => new Set(mails.map(mail => mail.ticket_id))
const makeOlder = (mails: LoggedMail[], minutes: number) => receiving.server.db`
  update tickets set created_at = created_at - make_interval(mins => ${minutes})
  where id = any(${[...ticketsOf(mails)] as never})`

test('after 10 new tickets of a contact in 10 minutes, further emails join the first one with one note', async () => {
  const mails = await sendMany('monitor@partner.example', 24)
  assert.deepEqual(new Set(mails.map(mail => mail.state)), new Set(['done']))
  assert.equal(ticketsOf(mails).size, 10)
  const first = mails[0]!.ticket_id
  const joined = mails.filter(mail => mail.outcome === 'loop_suspected')
  assert.equal(joined.length, 14)
  assert.deepEqual([...ticketsOf(joined)], [first])
  const [note, ...others] = await notesOf(first, 'loop_suspected')
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(note, { is_internal: true, system: { data: { tickets: 10, minutes: 10 } } })
})

test('a contact may open tickets again 10 minutes later, up to 30 in an hour', async () => {
  const from = 'hourly@partner.example'
  const seen: LoggedMail[] = []
  for (const minutes of [30, 20, 11]) {
    const mails = await sendMany(from, 10)
    await makeOlder(mails, minutes)
    seen.push(...mails)
  }
  assert.equal(ticketsOf(seen).size, 30)
  const next = await send(from, 'One more')
  assert.partialDeepStrictEqual(next, { outcome: 'loop_suspected', ticket_id: seen[0]!.ticket_id })
  await makeOlder(seen, 60)
  assert.equal((await send(from, 'An hour later')).outcome, 'new')
})

test('emails of other contacts are not limited, and never join the ticket of another contact', async () => {
  const { api } = receiving.server
  const mails = await sendMany('many@partner.example', 10)
  const calm = await send('calm@customer.example', 'Question')
  assert.equal(calm.outcome, 'new')
  const merged = await api.post(`/tickets/${mails[0]!.ticket_id}/merge`, {
    into_ticket_id: calm.ticket_id,
    force: true,
  })
  assert.equal(merged.status, 200)
  const next = await send('many@partner.example', 'One more')
  assert.partialDeepStrictEqual(next, { outcome: 'loop_suspected', ticket_id: mails[1]!.ticket_id })
})

test("an automatic email that joins because of the limit does not reopen the contact's closed tickets", async () => {
  const { api } = receiving.server
  const headers = ['Auto-Submitted: auto-generated']
  const mails = await sendMany('helpdesk@partner.example', 10, headers)
  for (const id of ticketsOf(mails)) await api.post(`/tickets/${id}/close`, {})
  const next = await send('helpdesk@partner.example', 'One more', headers)
  assert.equal(next.ticket_id, mails[0]!.ticket_id)
  assert.partialDeepStrictEqual(await get(`/messages/${next.message_id}`), { email: { class: 'automated' } })
  assert.equal((await get(`/tickets/${next.ticket_id}`)).status, 'closed')
})

test('an email that joins because of the limit reopens the ticket, even if the project never reopens tickets', async () => {
  const { api, db, acme } = receiving.server
  const mails = await sendMany('closed@partner.example', 10)
  for (const id of ticketsOf(mails)) await api.post(`/tickets/${id}/close`, {})
  await db`update projects set reopen_days = 0 where id = ${acme.id}`
  const next = await send('closed@partner.example', 'One more')
  await db`update projects set reopen_days = 14 where id = ${acme.id}`
  assert.equal(next.ticket_id, mails[0]!.ticket_id)
  assert.equal((await get(`/tickets/${next.ticket_id}`)).status, 'open')
})

test('imported emails of a contact do not limit later ones', async () => {
  const mails = await sendMany('imported@partner.example', 10)
  await receiving.server.db`
    update incoming_mails set source = 'import' where ticket_id = any(${[...ticketsOf(mails)] as never})`
  assert.equal((await send('imported@partner.example', 'New')).outcome, 'new')
})

test('recipients of an email that joined because of the limit do not become participants', async () => {
  const from = 'carla@partner.example'
  const { id } = await send(from, 'Genuine')
  await sendMany(from, 9)
  const joined = await send(from, 'One more', ['Cc: eve@evil.example'])
  assert.equal(joined.outcome, 'loop_suspected')
  const eve = await send('eve@evil.example', 'Hello', [`In-Reply-To: <${id}>`])
  assert.equal(eve.outcome, 'new_stranger')
})

test('automatic replies change no status and cause no message to be sent', async () => {
  const { api } = receiving.server
  const { id, ticket_id } = await send('away@customer.example', 'Question')
  await api.patch(`/tickets/${ticket_id}`, { status: 'pending' })
  const headers = ['Auto-Submitted: auto-replied', `In-Reply-To: <${id}>`]
  for (const subject of ['Automatic reply: Question', 'Away'])
    assert.equal((await send('away@customer.example', subject, headers)).ticket_id, ticket_id)
  assert.equal((await get(`/tickets/${ticket_id}`)).status, 'pending')
  const messages = await messagesOf(ticket_id)
  assert.deepEqual(
    messages.map((one: { sender_type: string; email: { class: string } }) => [
      one.sender_type,
      one.email.class,
    ]),
    [
      ['contact', 'person'],
      ['contact', 'auto_reply'],
      ['contact', 'auto_reply'],
    ],
  )
})

test('a reply with another subject stays in the open ticket, and each new subject is noted once', async () => {
  const from = 'paul@customer.example'
  const { id, ticket_id } = await send(from, 'Lamp')
  const headers = [`In-Reply-To: <${id}>`]
  for (const subject of ['Re: Lamp', 'My invoice', 'Re: My invoice', 'Re: Lamp'])
    assert.equal((await send(from, subject, headers)).ticket_id, ticket_id)
  const notes = await notesOf(ticket_id, 'subject_changed')
  assert.deepEqual(
    notes.map((note: { system: { data: { subject: string } } }) => note.system.data.subject),
    ['My invoice'],
  )
})
