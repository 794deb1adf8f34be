import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limitTickets, makeMessage, makeTicket, unique } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { untilFrame } from '../../../test/live.ts'
import { joinProject, type Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { ask, begin, type Guest, listen, signIn, startChat, switchOn } from '../../../test/widget.ts'
import { newId } from '../../core/ids.ts'

/** What operators put together does not open to a visitor what somebody else has written. */

let server: TestServer
let omar: Person
before(async () => {
  server = await startChat()
  await switchOn(server, server.acme, {
    prechat_fields: [{ key: 'email', type: 'email', labels: {}, is_required: false }],
  })
  await limitTickets(server.db, server.acme, 1_000)
  omar = await joinProject(server, server.acme, { name: 'Omar' })
})
after(() => server.close())

const merge = async (id: string, into_ticket_id: string, fields: object = {}) => {
  const answer = await omar.api.post(`/tickets/${id}/merge`, { into_ticket_id, ...fields })
  assert.equal(answer.status, 200, answer.text)
}

const contactOf = async (id: string): Promise<string> =>
  (await server.api.get(`/tickets/${id}`)).body.contact_id

const listIds = async ({ api }: Guest): Promise<string[]> =>
  (await api.get('/tickets')).body.items.map((one: { id: string }) => one.id)

/** A stranger who has typed the address of a contact with a ticket of its own. */
async function typeAddressOf() {
  const email = `${unique()}@shop.example`
  const vera = await signIn(server, { email })
  const secret = await ask(vera, { content: 'My card ends in 4242' })
  const guest = await begin(server)
  const ticket = await ask(guest, { fields: { email } })
  assert.equal(await contactOf(ticket.id), await contactOf(secret.id))
  return { guest, ticket, secret, vera }
}

test('a ticket of the same contact that is merged into one begun by a stranger takes it from the stranger', async () => {
  const { guest, ticket, secret, vera } = await typeAddressOf()
  const tab = await listen(server, guest)
  await untilFrame(tab, 'ready')
  await merge(secret.id, ticket.id)
  assertEnvelope(await guest.api.get(`/tickets/${ticket.id}`), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await guest.api.get(`/tickets/${ticket.id}/messages`), 404, 'TICKET_NOT_FOUND')
  assert.deepEqual(await listIds(guest), [])
  const { items } = (await vera.api.get(`/tickets/${ticket.id}/messages`)).body
  assert.match(JSON.stringify(items), /4242/)
  const own = await ask(guest, { content: 'And this?' })
  await untilFrame(tab, 'message', ({ data }) => data.ticket_id === own.id)
  assert.doesNotMatch(JSON.stringify(tab.frames), /4242/)
  tab.close()
})

test('whoever is identified then takes no ticket along that somebody else has written in', async () => {
  const { guest, ticket, secret } = await typeAddressOf()
  await merge(secret.id, ticket.id)
  const eve = await signIn(server, { id: unique() }, { guest })
  assert.deepEqual(await listIds(eve), [])
  assert.equal(await contactOf(ticket.id), await contactOf(secret.id))
})

test('what was merged into a ticket that is merged on counts too', async () => {
  const { guest, ticket, secret } = await typeAddressOf()
  const last = await ask(guest, { content: 'And this?' })
  await merge(secret.id, ticket.id)
  await merge(ticket.id, last.id)
  assert.deepEqual(await listIds(guest), [])
})

test('two tickets that one visitor began stay its own when they are merged', async () => {
  const guest = await begin(server)
  const [one, other] = [await ask(guest, { content: 'One' }), await ask(guest, { content: 'Other' })]
  await merge(one.id, other.id)
  assert.deepEqual(await listIds(guest), [other.id])
})

test('a merge that is taken back gives the ticket back', async () => {
  const { guest, ticket, secret } = await typeAddressOf()
  await merge(secret.id, ticket.id)
  const undone = await omar.api.post(`/tickets/${secret.id}/unmerge`)
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(await listIds(guest), [ticket.id])
})

test('a client_id that is sent again does not answer a ticket that the visitor does not see', async () => {
  const guest = await begin(server)
  const begun = { content: 'Mine', client_id: newId() }
  const ticket = await ask(guest, begun)
  const foreign = await makeTicket(server.api)
  await makeMessage(server.api, foreign.id, { content: 'Your PIN is 1234' })
  await merge(ticket.id, foreign.id, { force: true })
  assertEnvelope(await guest.api.post('/tickets', begun), 404, 'TICKET_NOT_FOUND')
})
