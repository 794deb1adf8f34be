import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, unique } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { untilFrame } from '../../../test/live.ts'
import type { Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import {
  ask,
  atWidget,
  begin,
  type Guest,
  makeJwt,
  open,
  reply,
  signIn,
  startDesk,
  switchOn,
} from '../../../test/widget.ts'

/** Anyone can type a contact's address. Operators see that it was only typed, and the contact sees none of it. */

const settings = {
  requires_signature: false,
  prechat_fields: [{ key: 'email', type: 'email', labels: {}, is_required: false }],
}

let server: TestServer
let omar: Person
before(async () => {
  const desk = await startDesk(settings)
  server = desk.server
  omar = desk.omar
  await switchOn(server, server.rival, settings)
})
after(() => server.close())

const addressOf = () => `${unique()}@example.com`
const typeIn = async (email: string) => {
  const guest = await begin(server)
  return { guest, ticket: await ask(guest, { fields: { email } }) }
}
const signInBy = async (email: string, guest?: Guest): Promise<Guest> => {
  const token = makeJwt({ email })
  const { body, status, text } = await atWidget(server, server.acme, guest?.token).post('/identify', {
    token,
  })
  assert.equal(status, 200, text)
  return {
    id: body.visitor.id,
    token: body.token,
    api: atWidget(server, server.acme, body.token),
    response: body,
  }
}
const idsOf = async ({ api }: Guest): Promise<string[]> =>
  (await api.get('/tickets')).body.items.map(({ id }: { id: string }) => id)

async function identitiesOf(ticketId: string) {
  const { contact_identity } = (await server.api.get(`/tickets/${ticketId}`)).body
  const { items } = (await server.api.get(`/tickets/${ticketId}/messages?sender_type=contact`)).body
  return [contact_identity, items.map((one: { contact_identity: string }) => one.contact_identity)]
}

test('a ticket and its messages say whether the contact was proved, typed or not named', async () => {
  const email = addressOf()
  const proved = await ask(await signInBy(email))
  const { ticket: typed } = await typeIn(email)
  const none = await ask(await begin(server))
  const { body: named } = await atWidget(server, server.acme).post('/identify', { user: { id: unique() } })
  const unsigned = await ask({ api: atWidget(server, server.acme, named.token) })
  const { body: api } = await server.api.post('/tickets', { contact: { email }, content: 'Hello' })
  assert.deepEqual(await identitiesOf(proved.id), ['proved', ['proved']])
  assert.deepEqual(await identitiesOf(typed.id), ['typed', ['typed']])
  assert.deepEqual(await identitiesOf(none.id), ['none', ['none']])
  assert.deepEqual(await identitiesOf(unsigned.id), ['typed', ['typed']])
  assert.deepEqual(await identitiesOf(api.id), [null, [null]])
})

test('the data of events does not say how the contact was identified', async () => {
  const events = await eventsOf(server, async () => void (await typeIn(addressOf())))
  assert.ok(events.length > 0)
  assert.ok(!JSON.stringify(events).includes('contact_identity'))
})

test("shows the proved contact no ticket that another visitor started with the contact's address, by list, id, files or stream", async () => {
  const email = addressOf()
  const ann = await signInBy(email)
  const own = await ask(ann)
  const tab = await open(server, ann)
  const { guest, ticket } = await typeIn(email)
  await reply(omar, ticket.id, 'To whom?')
  await reply(omar, own.id, 'To Ann')
  const heard = await untilFrame(tab, 'message')
  assert.equal(heard.data.ticket_id, own.id)
  assert.ok(!JSON.stringify(tab.frames).includes(ticket.id))
  assert.deepEqual(await idsOf(ann), [own.id])
  assertEnvelope(await ann.api.get(`/tickets/${ticket.id}`), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(
    await ann.api.post(`/tickets/${ticket.id}/messages`, { content: 'Mine?' }),
    404,
    'TICKET_NOT_FOUND',
  )
  assert.deepEqual(await idsOf(guest), [ticket.id])
})

test('messages split off a typed ticket stay hidden from the proved contact', async () => {
  const email = addressOf()
  const ann = await signInBy(email)
  const { guest, ticket } = await typeIn(email)
  const { body: second } = await guest.api.post(`/tickets/${ticket.id}/messages`, { content: 'And this' })
  const { body: part } = await omar.api.post(`/tickets/${ticket.id}/split`, { message_ids: [second.id] })
  assert.equal(part.contact_identity, 'typed')
  assert.deepEqual(await idsOf(ann), [])
})

test("a proved ticket that was merged into a typed one stays in the contact's list", async () => {
  const email = addressOf()
  const ann = await signInBy(email)
  const own = await ask(ann)
  const { guest, ticket } = await typeIn(email)
  const merged = await server.api.post(`/tickets/${own.id}/merge`, { into_ticket_id: ticket.id })
  assert.equal(merged.status, 200, merged.text)
  assert.deepEqual(await idsOf(ann), [ticket.id])
  const { items } = (await guest.api.get(`/tickets/${ticket.id}/messages`)).body
  assert.equal(items.length, 1)
})

test('proving an address in the browser where it was typed also proves the tickets written there', async () => {
  const email = addressOf()
  const { guest, ticket } = await typeIn(email)
  const before = (await server.api.get(`/tickets/${ticket.id}`)).body
  const ann = await signInBy(email, guest)
  assert.deepEqual(await identitiesOf(ticket.id), ['proved', ['proved']])
  const now = (await server.api.get(`/tickets/${ticket.id}`)).body
  assert.ok(now.version > before.version && now.updated_at > before.updated_at)
  const [{ by, changes }] = (await server.api.get(`/tickets/${ticket.id}/history`)).body.items
  const proved = { field: 'contact_identity', from: 'typed', to: 'proved' }
  assert.deepEqual([by.type, by.id, changes.at(-1)], ['contact', now.contact_id, proved])
  const elsewhere = await signInBy(email)
  assert.deepEqual([await idsOf(ann), await idsOf(elsewhere)], [[ticket.id], [ticket.id]])
})

test('an identity of a contact is verified only by proof', async () => {
  const email = addressOf()
  await typeIn(email)
  const read = async () => (await server.api.get(`/contacts/email:${email}`)).body
  const typed = await read()
  assert.deepEqual(
    typed.identities.map((one: { is_verified: boolean }) => one.is_verified),
    [false],
  )
  await signInBy(email)
  const proved = await read()
  assert.deepEqual(
    proved.identities.map((one: { is_verified: boolean }) => one.is_verified),
    [true],
  )
  assert.ok(proved.version > typed.version)
  await signInBy(email)
  assert.equal((await read()).version, proved.version)
})

test('the signature of an id verifies only the id, not an address sent with it', async () => {
  const id = unique()
  await signIn(server, { id, email: `${id}@example.com` })
  const { identities } = (await server.api.get(`/contacts/external:${id}`)).body
  assert.deepEqual(
    identities.map((one: { type: string; is_verified: boolean }) => [one.type, one.is_verified]),
    [['external', true]],
  )
})
