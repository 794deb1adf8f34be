import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventsOf, makeContact, makeTicket, unique } from '../../test/cast.ts'
import { assertEnvelope } from '../../test/client.ts'
import { startServer } from '../../test/server.ts'
import { insertBot } from '../../test/telegram/bots.ts'

const server = await startServer({ delivers: false })
const { api, outsider, db, acme } = server
after(() => server.close())

const address = () => `${unique()}@example.com`
const path = (id: string, identity: string) =>
  `/contacts/${id}/identities/${encodeURIComponent(identity)}/move`
const contactOf = async (ticketId: string) => (await api.get(`/tickets/${ticketId}`)).body.contact_id

/** A ticket in which the contact wrote from these addresses. */
async function makeMailTicket(contactId: string, ...addresses: string[]): Promise<string> {
  const [email] = [(await api.get(`/contacts/${contactId}`)).body.email]
  const ticket = await makeTicket(api, { contact: { email }, content: 'Hello' })
  for (const [n, from] of addresses.entries())
    if (n > 0) await api.post(`/tickets/${ticket.id}/messages`, { content: from })
  await db`update messages set sender_type = 'contact', sender_id = ${contactId}
    where project_id = ${acme.id} and ticket_id = ${ticket.id}`
  const messages = await db`select id from messages where project_id = ${acme.id} and ticket_id = ${ticket.id}
    and sender_type = 'contact' order by created_at, id`
  for (const [n, { id }] of messages.entries())
    await db`update messages set email = jsonb_build_object('from', ${addresses[n]!}::text) where id = ${id}`
  return ticket.id
}

let lastTelegram = 8_500_000

async function makePair() {
  const second = address()
  const from = await makeContact(api)
  await api.post(`/contacts/${from.id}/identities`, { type: 'email', value: second })
  const into = await makeContact(api, { email: null, telegram_id: ++lastTelegram })
  return { from, into, second }
}

test('an address moves with the tickets in which the contact used no other identity; the preview says which', async () => {
  const { from, into, second } = await makePair()
  const own = await makeMailTicket(from.id, second, second)
  const shared = await makeMailTicket(from.id, second, from.email)
  const other = await makeMailTicket(from.id, from.email)
  const { body } = await api.get(`${path(from.id, `email:${second}`)}/${into.id}`)
  assert.partialDeepStrictEqual(body, {
    ...{ tickets_count: 1, shared_tickets_count: 1, from: { id: from.id }, into: { id: into.id } },
    identity: { type: 'email', value: second },
  })
  assert.equal(await contactOf(own), from.id)
  const events = await eventsOf(server, async () => {
    const moved = await api.post(path(from.id, `email:${second}`), { into_contact_id: into.id })
    assert.partialDeepStrictEqual(moved.body, { id: into.id, email: second })
  })
  assert.deepEqual(
    events.map(({ data }) => [data.ticket_id, data.cause, data.contact_id, data.previous_contact_id]),
    [[own, 'identity_moved', into.id, from.id]],
  )
  assert.deepEqual(
    [await contactOf(own), await contactOf(shared), await contactOf(other)],
    [into.id, from.id, from.id],
  )
  const senders =
    await db`select distinct sender_id from messages where ticket_id = ${own} and sender_type = 'contact'`
  assert.deepEqual(
    senders.map(({ sender_id }) => sender_id),
    [into.id],
  )
  assert.equal((await api.get(`/contacts/email:${second}`)).body.id, into.id)
})

test('with move_tickets false, the tickets stay', async () => {
  const { from, into, second } = await makePair()
  const own = await makeMailTicket(from.id, second)
  await api.post(path(from.id, `email:${second}`), { into_contact_id: into.id, move_tickets: false })
  assert.equal(await contactOf(own), from.id)
})

test('when the primary address moves, another one becomes primary; the other contact keeps its own primary address', async () => {
  const { from, second } = await makePair()
  const into = await makeContact(api)
  await api.post(path(from.id, `email:${from.email}`), { into_contact_id: into.id })
  assert.equal((await api.get(`/contacts/${from.id}`)).body.email, second)
  const { body } = await api.get(`/contacts/${into.id}`)
  assert.equal(body.email, into.email)
  assert.equal(body.identities.length, 2)
})

test("an identity in a custom channel moves with that channel's tickets", async () => {
  const channel = (await api.get('/channels')).body.items?.[0] ?? null
  const [{ id }] = (await db`insert into custom_channels (project_id, id, name, title, color)
    values (${acme.id}, gen_random_uuid(), ${`c${unique()}`}, 'Signal', '#2f5bea') returning id`) as unknown as [
    { id: string },
  ]
  assert.equal(channel, null)
  const post = (external: string) =>
    api.post(`/channels/${id}/messages`, {
      external_id: unique(),
      contact: { external_id: external },
      content: 'Hi',
    })
  const [one, two] = [(await post('u-1')).body, (await post('u-2')).body]
  const [first, second] = [await contactOf(one.ticket_id), await contactOf(two.ticket_id)]
  await api.post(`/contacts/${second}/merge`, { into_contact_id: first })
  const into = await makeContact(api)
  await api.post(path(first, `channel:${id}:u-2`), { into_contact_id: into.id })
  assert.deepEqual([await contactOf(one.ticket_id), await contactOf(two.ticket_id)], [first, into.id])
  assert.equal((await post('u-2')).body.ticket_id, two.ticket_id)
})

test('an identity cannot move to itself, to an unknown contact or to a contact of another project', async () => {
  const { from, second } = await makePair()
  const theirs = await makeContact(outsider)
  const move = (into: string) => api.post(path(from.id, `email:${second}`), { into_contact_id: into })
  const refused = (reason: string) => ({ field: 'into_contact_id', reason })
  assertEnvelope(await move(from.id), 422, 'VALIDATION_ERROR', refused('same'))
  assertEnvelope(await move(theirs.id), 422, 'VALIDATION_ERROR', refused('not_found'))
  assertEnvelope(await api.get(`${path(from.id, `email:${second}`)}/${theirs.id}`), 404, 'CONTACT_NOT_FOUND')
  assertEnvelope(
    await outsider.post(path(from.id, 'email:x'), { into_contact_id: theirs.id }),
    404,
    'CONTACT_NOT_FOUND',
  )
})

test('if several requests move an identity to different contacts at the same time, one succeeds', async () => {
  const { from, second } = await makePair()
  const targets = await Promise.all(Array.from({ length: 5 }, () => makeContact(api)))
  const answers = await Promise.all(
    targets.map(({ id }) => api.post(path(from.id, `email:${second}`), { into_contact_id: id })),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404, 404, 404, 404])
})

test('a contact with a Telegram chat moves nothing into a contact that is missing or of another project', async () => {
  const telegram_id = 8_700_001
  const from = await makeContact(api, { telegram_id })
  const bot = await insertBot(server, acme, 'moving_bot')
  await db`insert into telegram_chats (project_id, id, bot_id, chat_id, contact_id)
    values (${acme.id}, gen_random_uuid(), ${bot}, ${telegram_id}, ${from.id})`
  const foreign = await makeContact(outsider)
  for (const into_contact_id of [foreign.id, '0197f3c2-6a1e-7c3a-9d0b-3f0a5f2c9b11'])
    for (const place of [`/contacts/${from.id}/merge`, path(from.id, `telegram:${telegram_id}`)])
      assertEnvelope(await api.post(place, { into_contact_id }), 422, 'VALIDATION_ERROR', {
        field: 'into_contact_id',
        reason: 'not_found',
      })
})

test('a Telegram chat moves with the identity of its person', async () => {
  const telegram_id = ++lastTelegram
  const [from, into] = [await makeContact(api, { telegram_id }), await makeContact(api)]
  const bot = await insertBot(server, acme, 'moved_bot')
  const [chat] = await db`
    insert into telegram_chats (project_id, id, bot_id, chat_id, contact_id)
    values (${acme.id}, gen_random_uuid(), ${bot}, ${telegram_id}, ${from.id}) returning id`
  const moved = await api.post(path(from.id, `telegram:${telegram_id}`), { into_contact_id: into.id })
  assert.partialDeepStrictEqual(moved.body, { id: into.id, telegram_id })
  const [row] = await db`select contact_id from telegram_chats where id = ${chat!.id}`
  assert.equal(row!.contact_id, into.id)
})
