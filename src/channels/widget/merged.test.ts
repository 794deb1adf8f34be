import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { limitTickets, makeMessage, makeTicket, unique } from '../../../test/cast.ts'
import { assertBrief, assertEnvelope } from '../../../test/client.ts'
import { untilFrame } from '../../../test/live.ts'
import { joinProject, type Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { until } from '../../../test/until.ts'
import { formOf, formType } from '../../../test/upload.ts'
import { ask, begin, type Guest, listen, signIn, startChat, switchOn } from '../../../test/widget.ts'
import { newId } from '../../core/ids.ts'

/** A merge must not show a visitor what another person wrote. */

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

/** A stranger who has typed the address of a contact that already has a ticket. */
async function typeAddressOf() {
  const email = `${unique()}@shop.example`
  const vera = await signIn(server, { email })
  const secret = await ask(vera, { content: 'My card ends in 4242' })
  const guest = await begin(server)
  const ticket = await ask(guest, { fields: { email } })
  assert.equal(await contactOf(ticket.id), await contactOf(secret.id))
  return { guest, ticket, secret, vera }
}

const textsOf = async ({ api }: Guest, id: string): Promise<string[]> =>
  (await api.get(`/tickets/${id}/messages`)).body.items.map((one: { content_html: string }) =>
    one.content_html.replaceAll(/<[^>]*>/g, ''),
  )

const answer = async (id: string, content: string) => {
  const { status, body } = await omar.api.post(`/tickets/${id}/messages`, { content })
  assert.equal(status, 201)
  return body
}

test('after a merge of two chats with the same address, the visitor of the remaining ticket gets the replies', async () => {
  const email = `${unique()}@shop.example`
  const [phone, desktop] = [await begin(server), await begin(server)]
  const first = await ask(phone, { content: 'From the phone', fields: { email } })
  const second = await ask(desktop, { content: 'From the desktop', fields: { email } })
  await answer(first.id, 'To the phone')
  const tabs = [await listen(server, phone), await listen(server, desktop)]
  for (const tab of tabs) await untilFrame(tab, 'ready')
  await merge(first.id, second.id)
  await answer(second.id, 'To both')
  await untilFrame(tabs[1]!, 'message', ({ data }) => /To both/.test(data.content_html))
  assert.deepEqual(await textsOf(desktop, second.id), ['From the desktop', 'To both'])
  assert.doesNotMatch(JSON.stringify(tabs[1]!.frames), /phone/)
  assert.deepEqual(await listIds(phone), [])
  await untilFrame(tabs[0]!, 'gap')
  assert.doesNotMatch(JSON.stringify(tabs[0]!.frames), /To both|desktop/)
  const look = { tab: tabs[0]!.tab, is_watching: true, ticket_id: first.id }
  assertEnvelope(await phone.api.post('/presence', look), 404, 'TICKET_NOT_FOUND')
  const [row] = await server.db`select ticket_id from visitor_tabs where visitor_id = ${phone.id}`
  assert.equal(row!.ticket_id, null)
  for (const tab of tabs) tab.close()
})

test('a stranger sees nothing of what is merged into their ticket, and the contact sees all of it', async () => {
  const { guest, ticket, secret, vera } = await typeAddressOf()
  const tab = await listen(server, guest)
  await untilFrame(tab, 'ready')
  await merge(secret.id, ticket.id)
  const shown = (await guest.api.get(`/tickets/${ticket.id}`)).body
  assert.doesNotMatch(JSON.stringify(shown), /4242/)
  assert.equal(shown.unread_count, 0)
  assert.deepEqual(await listIds(guest), [ticket.id])
  assert.doesNotMatch(JSON.stringify(await textsOf(guest, ticket.id)), /4242/)
  assert.match(JSON.stringify(await textsOf(vera, ticket.id)), /4242/)
  const { items } = (await omar.api.get(`/tickets/${ticket.id}/messages`)).body
  const hidden = items.find(({ content }: { content: string }) => content.includes('4242'))
  const at = `/tickets/${ticket.id}/messages`
  for (const refused of [
    await guest.api.get(`${at}?before=${hidden.id}`),
    await guest.api.put(`${at}/${hidden.id}/reactions/${encodeURIComponent('👍')}`),
    await guest.api.post(at, { content: 'x', reply_to_id: hidden.id }),
  ])
    assertEnvelope(refused, 404, 'MESSAGE_NOT_FOUND')
  assert.equal(
    (await omar.api.put(`/messages/${hidden.id}/reactions/${encodeURIComponent('👍')}`)).status,
    200,
  )
  const own = await ask(guest, { content: 'And this?' })
  await untilFrame(tab, 'message', ({ data }) => data.ticket_id === own.id)
  assert.doesNotMatch(JSON.stringify(tab.frames), /4242/)
  tab.close()
})

test("identifying does not move a ticket that contains another person's messages", async () => {
  const { guest, ticket, secret } = await typeAddressOf()
  await merge(secret.id, ticket.id)
  const eve = await signIn(server, { id: unique() }, { guest })
  for (const id of await listIds(eve)) assert.doesNotMatch(JSON.stringify(await textsOf(eve, id)), /4242/)
  assert.equal(await contactOf(ticket.id), await contactOf(secret.id))
})

test('merged parts stay hidden when the ticket is merged again', async () => {
  const { guest, ticket, secret } = await typeAddressOf()
  const last = await ask(guest, { content: 'And this?' })
  await merge(secret.id, ticket.id)
  await merge(ticket.id, last.id)
  assert.deepEqual(await listIds(guest), [last.id])
  assert.deepEqual(await textsOf(guest, last.id), ['Where is my order?', 'And this?'])
})

test('splitting messages off and merging them back restores what the visitor saw', async () => {
  const { guest, ticket, secret } = await typeAddressOf()
  await merge(secret.id, ticket.id)
  await omar.api.post(`/tickets/${ticket.id}/messages`, { content: 'A note', is_internal: true })
  const { items } = (await omar.api.get(`/tickets/${ticket.id}/messages?sender_type=contact`)).body
  const ids = items.map(({ id }: { id: string }) => id)
  const apart = await omar.api.post(`/tickets/${ticket.id}/split`, { message_ids: ids })
  assert.equal(apart.status, 201, apart.text)
  assert.deepEqual(await textsOf(guest, ticket.id), [])
  await merge(apart.body.id, ticket.id)
  assert.deepEqual(await textsOf(guest, ticket.id), ['Where is my order?'])
})

test('merging two tickets of one visitor keeps them visible to that visitor', async () => {
  const guest = await begin(server)
  const [one, other] = [await ask(guest, { content: 'One' }), await ask(guest, { content: 'Other' })]
  await merge(one.id, other.id)
  assert.deepEqual(await listIds(guest), [other.id])
})

test('undoing a merge restores the ticket of the visitor', async () => {
  const { guest, ticket, secret } = await typeAddressOf()
  await merge(secret.id, ticket.id)
  const undone = await omar.api.post(`/tickets/${secret.id}/unmerge`)
  assert.equal(undone.status, 200, undone.text)
  assert.deepEqual(await listIds(guest), [ticket.id])
})

test('repeating a client_id does not return a ticket that the visitor may no longer see', async () => {
  const guest = await begin(server)
  const begun = { content: 'Mine', client_id: newId() }
  const ticket = await ask(guest, begun)
  const foreign = await makeTicket(server.api)
  await makeMessage(server.api, foreign.id, { content: 'Your PIN is 1234' })
  await merge(ticket.id, foreign.id, { force: true })
  assertEnvelope(await guest.api.post('/tickets', begun), 404, 'TICKET_NOT_FOUND')
})

test('refuses to download a file from the hidden part of a merged ticket', async () => {
  const { guest, ticket, secret, vera } = await typeAddressOf()
  const form = { raw: formOf({ content: 'SECRET', filename: 'a.txt' }), headers: formType }
  const upload = async ({ api }: Guest) => (await api.post('/files', undefined, form)).body.id
  const [hidden, own] = [await upload(vera), await upload(guest)]
  const send = (one: Guest, id: string, file: string) =>
    one.api.post(`/tickets/${id}/messages`, { content: 'See this', media_ids: [file] })
  assert.equal((await send(vera, secret.id, hidden)).status, 201)
  assert.equal((await send(guest, ticket.id, own)).status, 201)
  await merge(secret.id, ticket.id)
  const read = async ({ api }: Guest, file: string) => (await api.get(`/files/${file}`)).status
  assert.deepEqual([await read(vera, hidden), await read(vera, own), await read(guest, own)], [200, 200, 200])
  assertBrief(await guest.api.get(`/files/${hidden}`), 404)
})

/** Sends a message while a merge is about to commit: the ticket is read before the commit and written after it. */
async function sendDuringMerge({ api }: Guest, from: string, into: string) {
  const untilWaiting = (count: number) =>
    until(async () => {
      const waiting = await server.db`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length === count
    })
  return server.db.begin(async tx => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select from tickets where project_id = ${server.acme.id} and id = ${from} for update`
    const merging = merge(from, into, { force: true })
    await untilWaiting(1)
    const sending = api.post(`/tickets/${from}/messages`, { content: 'Late' })
    await untilWaiting(2)
    return { merging, sending }
  })
}

test('refuses a message sent during a merge into a ticket that the visitor must not see, and gives no access to it', async () => {
  const { guest, ticket, secret } = await typeAddressOf()
  const foreign = await makeTicket(server.api, { contact: { email: `${unique()}@shop.example` } })
  const another = await ask(guest, { fields: { email: `${unique()}@shop.example` } })
  for (const [from, into] of [
    [ticket.id, secret.id],
    [another.id, foreign.id],
  ]) {
    const { merging, sending } = await sendDuringMerge(guest, from, into)
    await merging
    assertEnvelope(await sending, 404, 'TICKET_NOT_FOUND')
    assertEnvelope(await guest.api.get(`/tickets/${into}`), 404, 'TICKET_NOT_FOUND')
    const { items } = (await omar.api.get(`/tickets/${into}/messages`)).body
    assert.doesNotMatch(JSON.stringify(items), /Late/)
  }
})

test('a message sent during a merge goes to the remaining ticket if the visitor may see it', async () => {
  const guest = await begin(server)
  const [one, other] = [await ask(guest, { content: 'One' }), await ask(guest, { content: 'Other' })]
  const { merging, sending } = await sendDuringMerge(guest, one.id, other.id)
  await merging
  const { status, body } = await sending
  assert.deepEqual([status, body.ticket_id], [201, other.id])
  assert.deepEqual(await textsOf(guest, other.id), ['One', 'Other', 'Late'])
})
