import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventsOf, type LoggedEvent, makeTicket, unique } from '../../../test/cast.ts'
import { assertEnvelope } from '../../../test/client.ts'
import { untilFrame } from '../../../test/live.ts'
import { joinProject, type Person } from '../../../test/operator.ts'
import type { TestServer } from '../../../test/server.ts'
import { openBot } from '../../../test/telegram/bots.ts'
import {
  ask,
  atWidget,
  begin,
  type Guest,
  listen,
  signIn,
  startDesk,
  switchOn,
} from '../../../test/widget.ts'
import { buildApp } from '../../app.ts'
import { sendDueMessages } from '../../tickets/tickets.ts'
import { makeLinkKey } from './open-link.ts'

let server: TestServer
let omar: Person
const email = { key: 'email', type: 'email', labels: {}, is_required: false }
const on = { notifies_visitors: true, allowed_domains: ['shop.example'], prechat_fields: [email] }
before(async () => {
  ;({ server, omar } = await startDesk(on))
})
after(() => server.close())

const answer = (ticketId: string, fields: object = {}) =>
  omar.api.post(`/tickets/${ticketId}/messages`, {
    content: 'It is **on its way**',
    content_format: 'markdown',
    ...fields,
  })

const callsIn = (events: LoggedEvent[]) => events.filter(({ type }) => type === 'visitor.reply_waiting')

const callsOf = async (act: () => Promise<unknown>) => callsIn(await eventsOf(server, act))

const place = { locale: 'de', page_url: 'https://shop.example/cart?a=1#x' }

/** Simulates that the last notice was sent this long ago. */
const passTime = (minutes: number) =>
  server.db`update reply_notices set told_at = told_at - make_interval(mins => ${minutes})`

test('spec 8 visitor notification: a reply while the visitor is away emits visitor.reply_waiting with every field', async () => {
  const id = unique()
  const guest = await signIn(server, { id, name: 'Vera' }, { guest: await begin(server, server.acme, place) })
  const ticket = await ask(guest)
  const [call, ...more] = await callsOf(() => answer(ticket.id))
  assert.deepEqual(more, [])
  const { body: message } = await server.api.get(`/messages/${call!.data.message_id}`)
  const { contact_id } = (await server.api.get(`/tickets/${ticket.id}`)).body
  const { open_url, ...data } = call!.data
  assert.deepEqual(data, {
    contact_id,
    external_id: id,
    telegram_user_id: null,
    ticket_id: ticket.id,
    ticket_short_id: ticket.short_id,
    message_id: message.id,
    operator_name: 'Omar',
    preview: 'It is on its way',
    locale: 'de',
    surface: 'widget',
    replied_at: message.created_at,
  })
  assert.match(open_url, /^https:\/\/shop\.example\/cart\?a=1#deskbell-open=/)
})

test('a reply that goes to Telegram emits no visitor.reply_waiting', async t => {
  const guest = await signIn(server, { id: unique() })
  const ticket = await ask(guest)
  assert.equal((await callsOf(() => answer(ticket.id))).length, 1)
  await passTime(6)
  const { ann, settled } = await openBot(t, server)
  const { body } = await guest.api.post(`/tickets/${ticket.id}/telegram-link`)
  ann.start(new URL(body.url).searchParams.get('start') ?? '')
  ann.say('Now in Telegram')
  await settled()
  assert.deepEqual(await callsOf(() => answer(ticket.id)), [])
})

test('a hundred concurrent replies from two processes notify the visitor once, and again only after five minutes', async () => {
  const guest = await signIn(server, { id: unique() })
  const tickets = [await ask(guest), await ask(guest), await ask(guest), await ask(guest)]
  const { config, db, log, vault, stopping } = server
  const second = await buildApp({ config, db, log, vault, stopping })
  await second.listen({ port: 0, host: '127.0.0.1' })
  const { port } = second.server.address() as { port: number }
  const elsewhere = await joinProject({ db, url: `http://127.0.0.1:${port}/api/v1` }, server.acme)
  const people = [omar, elsewhere]
  const all = () =>
    Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        people[n % 2]!.api.post(`/tickets/${tickets[n % 4]!.id}/messages`, { content: `Answer ${n}` }),
      ),
    )
  assert.equal((await callsOf(all)).length, 1)
  await passTime(4)
  assert.equal((await callsOf(() => answer(tickets[0]!.id))).length, 0)
  await passTime(1)
  assert.equal((await callsOf(all)).length, 1)
  second.server.closeAllConnections()
  await second.close()
})

test('each visitor has a separate five-minute limit', async () => {
  const tickets = [await ask(await begin(server)), await ask(await begin(server))]
  assert.equal((await callsOf(() => Promise.all(tickets.map(({ id }) => answer(id))))).length, 2)
})

test('identifying a visitor or merging contacts does not shorten the five minutes', async () => {
  const guest = await begin(server)
  const ticket = await ask(guest)
  assert.equal((await callsOf(() => answer(ticket.id))).length, 1)
  const known = await signIn(server, { id: unique() }, { guest })
  assert.equal((await callsOf(() => answer(ticket.id))).length, 0)
  const other = (await server.api.post('/contacts', { email: `${unique()}@example.com` })).body.id
  const { contact_id } = (await server.api.get(`/tickets/${ticket.id}`)).body
  const merged = await server.api.post(`/contacts/${contact_id}/merge`, { into_contact_id: other })
  assert.equal(merged.status, 200, merged.text)
  assert.equal((await callsOf(() => answer(ticket.id))).length, 0)
  assert.equal((await known.api.get('/tickets')).body.items.length, 1)
})

test('a visitor notified about a ticket with a typed address is not notified sooner after being identified', async () => {
  const guest = await begin(server)
  const email = `${unique()}@example.com`
  const ticket = await ask(guest, { fields: { email } })
  assert.equal((await callsOf(() => answer(ticket.id))).length, 1)
  await signIn(server, { id: unique() }, { guest })
  assert.equal((await callsOf(() => answer(ticket.id))).length, 0)
})

test('does not notify for notes, bots, tickets outside the widget, or when notifications are off', async context => {
  const ticket = await ask(await begin(server))
  const other = await makeTicket(server.api)
  const none = async (act: () => Promise<unknown>) => assert.deepEqual(await callsOf(act), [])
  await none(() => answer(ticket.id, { is_internal: true }))
  await none(() => server.api.post(`/tickets/${ticket.id}/messages`, { content: 'From a bot' }))
  await none(() => answer(other.id))
  await switchOn(server, server.acme, { notifies_visitors: false })
  context.after(() => switchOn(server, server.acme, on))
  await none(() => answer(ticket.id))
})

test('a delayed reply notifies the visitor when it is sent', async () => {
  const ticket = await ask(await begin(server))
  assert.deepEqual(await callsOf(() => answer(ticket.id, { undo_seconds: 30 })), [])
  await server.db`update messages set send_at = now() where ticket_id = ${ticket.id} and send_at is not null`
  assert.equal((await callsOf(() => sendDueMessages(server.db, server.acme.id))).length, 1)
})

const watch = (guest: Guest, tab: string, is_watching: boolean) =>
  guest.api.post('/presence', { tab, is_watching, ticket_id: null })

test('does not notify a visitor who has the chat open on any device, but does notify one who looks elsewhere or has left', async () => {
  const id = unique()
  const [phone, laptop] = [await signIn(server, { id }), await signIn(server, { id })]
  const ticket = await ask(laptop)
  const tab = await listen(server, phone)
  await untilFrame(tab, 'ready')
  assert.equal((await watch(phone, tab.tab, true)).status, 204)
  assert.equal((await callsOf(() => answer(ticket.id))).length, 0)
  await watch(phone, tab.tab, false)
  assert.equal((await callsOf(() => answer(ticket.id))).length, 1)
  await passTime(5)
  await watch(phone, tab.tab, true)
  await server.db`update visitor_tabs set seen_at = now() - interval '46 seconds'`
  assert.equal((await callsOf(() => answer(ticket.id))).length, 1)
  tab.close()
})

const keyOf = ({ data }: LoggedEvent): string => data.open_url.split('=').at(-1)

test('the key of an open_url opens only this ticket on another device, and does not change who is signed in', async () => {
  const guest = await signIn(server, { id: unique() })
  const [ticket, other] = [await ask(guest), await ask(guest)]
  const [call] = await callsOf(() => answer(ticket.id))
  const { status, body } = await atWidget(server, server.acme).post('/open', { key: keyOf(call!) })
  assert.deepEqual([status, body.visitor.ticket_id, body.visitor.is_verified], [201, ticket.id, false])
  const opened = atWidget(server, server.acme, body.token)
  assert.deepEqual(
    (await opened.get('/tickets')).body.items.map((one: { id: string }) => one.id),
    [ticket.id],
  )
  assertEnvelope(await opened.get(`/tickets/${other.id}`), 404, 'TICKET_NOT_FOUND')
  assertEnvelope(await opened.post('/tickets', { content: 'x' }), 409, 'NOT_POSSIBLE', {
    reason: 'one_ticket_only',
  })
  assert.equal((await opened.post(`/tickets/${ticket.id}/messages`, { content: 'Thanks' })).status, 201)
  assert.equal((await guest.api.get('/session')).body.is_verified, true)
})

test('refuses a key that was changed, has expired, belongs to another project, or whose ticket was moved', async () => {
  const ticket = await ask(await begin(server))
  const [call] = await callsOf(() => answer(ticket.id))
  const key = keyOf(call!)
  const open = (sent: string, member = server.acme) => atWidget(server, member).post('/open', { key: sent })
  await switchOn(server, server.rival)
  assertEnvelope(await open(key, server.rival), 404, 'LINK_NOT_FOUND')
  const [id, exp, mac] = key.split('.')
  for (const sent of [
    'x',
    `${id}.zzzzzz.${mac}`,
    `${id}.${exp}.${mac!.replace(/.$/, 'z')}`,
    `${ticket.id}..`,
  ])
    assertEnvelope(await open(sent), 404, 'LINK_NOT_FOUND')
  const { contact_id: contactId } = (await server.api.get(`/tickets/${ticket.id}`)).body
  const link = { projectId: server.acme.id, ticketId: ticket.id, contactId }
  const week = 7 * 24 * 60 * 60 * 1_000
  assertEnvelope(await open(makeLinkKey(server.vault, link, Date.now() - week - 1_000)), 410, 'LINK_EXPIRED')
  const { body } = await open(key)
  await server.db`update visitors set expires_at = now() where ticket_id = ${ticket.id}`
  assertEnvelope(await atWidget(server, server.acme, body.token).get('/tickets'), 401, 'VISITOR_UNKNOWN')
  const { id: stranger } = (await server.api.post('/contacts', { email: `${unique()}@example.com` })).body
  await server.db`update tickets set contact_id = ${stranger} where id = ${ticket.id}`
  assertEnvelope(await open(key), 404, 'LINK_NOT_FOUND')
})

test("open_url is the chat page of this server if the visitor's page is not on an allowed domain or was the chat page", async () => {
  const places = [
    { page_url: 'https://evil.example/' },
    { page_url: 'javascript:alert(1)' },
    { ...place, surface: 'page' },
  ]
  for (const one of places) {
    const ticket = await ask(await begin(server, server.acme, one))
    const [call] = await callsOf(() => answer(ticket.id))
    assert.ok(
      call!.data.open_url.startsWith(`http://localhost/chat/${server.acme.id}#open=`),
      call!.data.open_url,
    )
  }
})
