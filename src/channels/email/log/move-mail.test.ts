import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventsOf, limitTickets, makeMessage, makeTicket } from '../../../../test/cast.ts'
import { assertEnvelope } from '../../../../test/client.ts'
import { receive, startSupport } from '../../../../test/mail/receiving.ts'
import { makeMail } from '../../../../test/mail.ts'
import { joinProject } from '../../../../test/operator.ts'

/** Emails that are already messages are moved to other tickets. */

const support = 'support@example.com'
const { receiving, get } = await startSupport(support)
const { server } = receiving
const { api, db, acme } = server

const idOf = (mail: string): string => /^Message-ID: <(.*)>/im.exec(mail)![1]!

const answerTo = (mail: string, body = 'An answer'): string =>
  makeMail('Re: Lamp', body).replace('Date:', `In-Reply-To: <${idOf(mail)}>\r\nDate:`)

/** A ticket with a question by email and a reply to it. */
async function talk() {
  const question = makeMail('Lamp')
  const first = await receive(receiving, support, question)
  const answer = answerTo(question)
  const second = await receive(receiving, support, answer)
  assert.equal(second.ticket_id, first.ticket_id)
  return { first, second, answer }
}

const contentsOf = async (ticketId: string | null): Promise<string[]> =>
  (await get(`/tickets/${ticketId}/messages?order=asc`)).items
    .filter(({ sender_type }: { sender_type: string }) => sender_type !== 'system')
    .map(({ content }: { content: string }) => content)

test('a message becomes a ticket of its own, replies to it follow it, and repeating the request changes nothing', async () => {
  const { first, second, answer } = await talk()
  const made = await api.post(`/mail-log/${second.id}/ticket`)
  assert.equal(made.status, 202, made.text)
  const { state, outcome, ticket_id, message_id } = made.body
  assert.deepEqual([state, outcome, message_id], ['done', 'in_reply_to', second.message_id])
  assert.notEqual(ticket_id, first.ticket_id)
  assert.deepEqual(
    [await contentsOf(first.ticket_id), await contentsOf(ticket_id)],
    [['How are you?'], ['An answer']],
  )
  assert.equal((await receive(receiving, support, answerTo(answer))).ticket_id, ticket_id)
  const again = await api.post(`/mail-log/${second.id}/ticket`)
  assert.deepEqual([again.status, again.body.ticket_id], [202, ticket_id])
})

test('a message that began its ticket is already a ticket', async () => {
  const { first } = await talk()
  const answer = await api.post(`/mail-log/${first.id}/ticket`)
  assert.deepEqual([answer.status, answer.body.ticket_id], [202, first.ticket_id])
})

test("a ticket made from a message counts towards the plan's limit", async () => {
  const { second } = await talk()
  await limitTickets(db, acme, 0)
  assertEnvelope(await api.post(`/mail-log/${second.id}/ticket`), 403, 'TICKET_LIMIT_REACHED')
  await limitTickets(db, acme, 1_000_000)
})

test('a message moves to another ticket with its participants, and both tickets keep their statuses', async () => {
  const { first, second, answer } = await talk()
  const other = await makeTicket(api, { content: 'Another matter' })
  await api.post(`/tickets/${other.id}/close`)
  const statuses = async () => [
    (await get(`/tickets/${first.ticket_id}`)).status,
    (await get(`/tickets/${other.id}`)).status,
  ]
  const before = await statuses()
  const omar = await joinProject(server, acme, { name: 'Omar' })
  const events = await eventsOf(server, async () => {
    const moved = await omar.api.post(`/mail-log/${second.id}/move`, { ticket_id: other.short_id })
    assert.deepEqual([moved.status, moved.body.state, moved.body.ticket_id], [202, 'done', other.id])
  })
  assert.deepEqual(
    events.filter(({ type }) => type === 'ticket.updated').map(({ data }) => [data.ticket_id, data.cause]),
    [
      [first.ticket_id, 'message_moved'],
      [other.id, 'message_moved'],
    ],
  )
  assert.deepEqual(await statuses(), before)
  assert.deepEqual(await contentsOf(first.ticket_id), ['How are you?'])
  assert.ok((await contentsOf(other.id)).includes('An answer'))
  const { items } = await get(`/tickets/${other.id}/participants`)
  assert.ok(items.some(({ address }: { address: string }) => address === 'ann@example.com'))
  assert.equal((await receive(receiving, support, answerTo(answer))).ticket_id, other.id)
  const notes = (await get(`/tickets/${other.id}/messages`)).items.map(
    ({ content }: { content: string }) => content,
  )
  assert.ok(notes.some((content: string) => content.startsWith('Omar moved a message here from #')))
  const [audited] = await db`select action, author_name from audit_entries where target_id = ${second.id}`
  assert.deepEqual({ ...audited }, { action: 'mail.moved', author_name: 'Omar' })
})

test('the only message of its ticket brings its ticket with it: the two are merged, even if the contacts differ', async () => {
  const mail = await receive(receiving, support, makeMail('Alone'))
  const other = await makeTicket(api, { content: 'The same matter' })
  const moved = await api.post(`/mail-log/${mail.id}/move`, { ticket_id: other.id })
  assert.deepEqual([moved.status, moved.body.ticket_id], [202, other.id])
  assert.equal((await get(`/tickets/${mail.ticket_id}`)).merged_into_id, other.id)
  assert.deepEqual((await contentsOf(other.id)).toSorted(), ['How are you?', 'The same matter'])
})

test('moving a message to the ticket that it is in changes nothing', async () => {
  const { second } = await talk()
  const events = await eventsOf(server, async () => {
    const moved = await api.post(`/mail-log/${second.id}/move`, { ticket_id: second.ticket_id })
    assert.equal(moved.status, 202)
  })
  assert.deepEqual(events, [])
})

test('no message is lost if one is moved while another one arrives', async () => {
  const { first, second } = await talk()
  const other = await makeTicket(api, { content: 'Elsewhere' })
  const [moved] = await Promise.all([
    api.post(`/mail-log/${second.id}/move`, { ticket_id: other.id }),
    makeMessage(api, first.ticket_id!, { content: 'Late' }),
    api.post(`/mail-log/${second.id}/reparse`),
  ])
  assert.ok([202, 422].includes(moved.status), moved.text)
  const all = [...(await contentsOf(first.ticket_id)), ...(await contentsOf(other.id))]
  assert.deepEqual(all.toSorted(), ['An answer', 'Elsewhere', 'How are you?', 'Late'])
})

test('another project can neither move a message nor receive one', async () => {
  const { second } = await talk()
  const theirs = await makeTicket(server.outsider)
  const moved = await server.outsider.post(`/mail-log/${second.id}/move`, { ticket_id: theirs.id })
  assert.equal(moved.status, 404)
  const detail = { field: 'ticket_id', reason: 'not_found' }
  assertEnvelope(
    await api.post(`/mail-log/${second.id}/move`, { ticket_id: theirs.id }),
    422,
    'VALIDATION_ERROR',
    detail,
  )
  assert.equal((await get(`/mail-log/${second.id}`)).ticket_id, second.ticket_id)
})
