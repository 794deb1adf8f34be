import { renewDue, setProjectPlan } from '../../src/billing/billing.ts'
import { orderPayment } from '../../src/billing/order-payment.ts'
import { failPayment, receivePayment } from '../../src/billing/payments.ts'
import { newId } from '../../src/core/ids.ts'
import { passTime, putPlans } from '../billing/price-list.ts'
import { makeDepartment, makeMessage, makeOperator, makeTicket, unique } from '../cast.ts'
import type { Client } from '../client.ts'
import { makeChannelWithMessage } from '../custom-channel.ts'
import { leaveWithoutKnowledge, makeArticle } from '../knowledge.ts'
import { giveEmail } from '../mail/give-email.ts'
import { makeMailbox, storeMail } from '../mail.ts'
import { joinProject } from '../operator.ts'
import type { TestServer } from '../server.ts'
import { until } from '../until.ts'
import { makePicture, upload } from '../upload.ts'
import { ask, reply, signIn, switchOn } from '../widget.ts'
import { useContacts, useOrganizations } from './contact-calls.ts'
import { useTicketHistory } from './journey-history.ts'
import { useIdentities } from './journey-identities.ts'
import { useImports, usePersonalData } from './journey-records.ts'

/**
 * Calls every operation of the API at least once, so that the responses can be checked against the documents.
 */

export async function callEverything(server: TestServer, hook: string): Promise<void> {
  const webhook = await useWebhooks(server.api, hook)
  await useMailboxes(server)
  await useTickets(server)
  await useMessages(server)
  await useContacts(server.api)
  await useIdentities(server)
  await useOrganizations(server.api)
  await useImports(server.api)
  await usePersonalData(server.api)
  await useFiles(server.api)
  await useKnowledge(server)
  await useDeliveries(server.api, webhook)
  await causeErrors(server)
  await actAsPeople(server)
  await actAsVisitor(server)
  await useChannel(server)
  await payAndExpire(server)
  for (const path of [
    '/project',
    '/operators',
    '/departments',
    '/tags',
    '/custom-fields',
    '/mailboxes',
    '/mail-log',
    '/sender-rules',
    '/events/catalog',
  ])
    await server.api.get(path)
  await server.api.get('/updates?after=0&limit=2&events=ticket.created,message.created')
  await server.api.get('/updates?timeout=0')
  await server.stranger.get('/openapi.json')
}

async function useChannel({ db, api, acme }: TestServer): Promise<void> {
  const { channel_id, external_id, ticket_id } = await makeChannelWithMessage(db, acme, api)
  const path = `/channels/${channel_id}`
  const contact = { external_id: 'u-1', email: `${unique()}@example.com`, language: 'de' }
  const message = { external_id: unique(), contact, content: 'Hello', created_at: '2026-01-15T10:30:00Z' }
  await api.post(`${path}/messages`, message)
  await api.post(`${path}/messages`, message)
  await api.patch(`${path}/messages/${external_id}`, { content: 'Hello!' })
  await makeMessage(api, ticket_id)
  const { items } = (await api.get(`${path}/outgoing`)).body
  await api.post(`${path}/deliveries`, {
    message_id: items[0].message.id,
    status: 'sent',
    external_id: 'm-2',
  })
  await api.delete(`${path}/messages/${external_id}`)
  await api.get('/channels')
  await api.get(path)
}

async function useWebhooks(api: Client, url: string): Promise<string> {
  const headers = { 'Idempotency-Key': unique() }
  const { body } = await api.post('/webhooks', { url }, { headers })
  await api.post('/webhooks', { url }, { headers })
  const one = `/webhooks/${body.id}`
  await api.get('/webhooks')
  await api.get(one)
  await api.patch(one, { description: 'Ours', is_active: true })
  await api.post(`${one}/test`)
  await api.post(`${one}/test`, { event: 'ticket.closed' })
  await api.post(`${one}/rotate-secret`)
  return one
}

async function useMailboxes(server: TestServer): Promise<void> {
  const mailbox = await makeMailbox(server, { imapPort: 9 })
  await server.db`
    insert into incoming_mails (project_id, id, mailbox_id, source, size, received_at, state, outcome)
    values (${server.acme.id}, ${newId()}, ${mailbox.id}, 'imap', 10, '2026-01-01', 'failed', 'unreadable')`
  const mail = `/mail-log/${await storeMail(server, server.acme)}`
  await server.api.get(mail)
  await server.api.get(`${mail}/raw`)
  const { id } = await makeTicket(server.api, { contact: { email: 'ann@example.com' }, content: 'Mine' })
  await server.db`update mailboxes set sending = 'installation' where id = ${mailbox.id}`
  const [first] = (await server.api.get(`/tickets/${id}/messages`)).body.items
  const forward = { content: 'Can you repair it?', email: { to: ['tom@example.com'] } }
  await server.api.post(`/messages/${first.id}/forward`, forward)
  const rule = await server.api.post('/sender-rules', { pattern: 'spam.example', verdict: 'blocked' })
  await server.api.delete(`/sender-rules/${rule.body.id}`)
  for (const [action, body] of [['reparse'], ['ticket'], ['move', { ticket_id: id }]] as const) {
    await server.db`update incoming_mails set state = 'parked', decision = null where project_id = ${server.acme.id}`
    await server.api.post(`${mail}/${action}`, body)
  }
}

async function useTickets({ api, db, acme }: TestServer): Promise<void> {
  const contact = { email: 'ann@example.com', full_name: 'Ann Lee' }
  const first = await makeTicket(api, { contact, content: 'My card is refused.' })
  const second = await makeTicket(api, { contact, subject: 'Again' })
  const ticket = `/tickets/${first.short_id}`
  const operator = await makeOperator(db, acme)
  const department = await makeDepartment(db, acme)
  await api.get('/tickets?page_size=1&q=card&sort=-updated_at')
  await api.get('/tickets?page_size=1')
  await api.get(ticket)
  await api.patch(ticket, {
    operator_id: operator.id,
    department_id: department.id,
    custom_fields: { order: 17 },
  })
  await api.patch(ticket, { status: 'on_hold', tags: ['vip'] }, { headers: { 'If-Match': '"2"' } })
  const headers = { 'If-Match': '"3"', 'Idempotency-Key': unique() }
  await api.post(`${ticket}/close`, { comment: 'Refunded.' }, { headers })
  await api.post(`${ticket}/close`, { comment: 'Refunded.' }, { headers })
  await api.post(`${ticket}/close`)
  await api.post(`${ticket}/reopen`)
  await api.post(`${ticket}/reopen`)
  await api.post(`${ticket}/rate`, { rating: 5, comment: 'Thanks!' })
  await api.post(`/tickets/${second.id}/merge`, { into_ticket_id: first.id })
  await useTicketHistory(api, ticket)
}

async function useMessages(server: TestServer): Promise<void> {
  const { api, db } = server
  await api.get('/messages?updated_after=2020-01-01&sender_type=bot&page_size=1')
  const { id: ticket } = await makeTicket(api)
  const { id } = await makeMessage(api, ticket, { external_id: 'once' })
  await api.post(`/tickets/${ticket}/messages`, { content: 'Again', external_id: 'once' })
  await makeMessage(api, ticket, {
    content: 'A *note*',
    content_format: 'markdown',
    is_internal: true,
    reply_to_id: id,
  })
  await api.get(`/tickets/${ticket}/messages?page_size=1`)
  await api.get(`/messages/${id}`)
  await giveEmail(db, server.acme.id, id, (await makePicture(api)).id)
  await api.get(`/messages/${id}/email`)
  await api.get(`/messages/${id}/raw`)
  await api.get(`/tickets/${ticket}/participants`)
  await api.get(`/tickets/${ticket}/reply-recipients`)
  await api.put(`/tickets/${ticket}/participants`, { participants: [{ address: 'ben@example.com' }] })
  await api.patch(`/messages/${id}`, { content: 'Hello again' })
  const operator = await makeOperator(db, server.acme)
  await api.put(`/tickets/${ticket}/drafts/${operator.id}`, { content: 'Prepared' })
  await api.get(`/tickets/${ticket}/drafts`)
  await api.delete(`/tickets/${ticket}/drafts/${operator.id}`)
  await api.patch(`/tickets/${ticket}/messages/${id}`, { content: 'Hello once more' })
  await api.post(`/tickets/${ticket}/messages`, {
    content: 'Late',
    unless_newer: true,
    last_seen_message_id: id,
  })
  const later = await makeMessage(api, ticket, { content: 'Later', send_at: '2999-01-01' })
  await api.post(`/messages/${later.id}/reschedule`, { send_at: '2999-01-02' })
  await api.delete(`/messages/${later.id}`)
  await api.delete(`/messages/${id}`)
  await db`update messages set delivery_status = 'failed', delivery_error = 'mailbox full' where id = ${id}`
  await api.post(`/messages/${id}/retry`)
  await makeMessage(api, ticket, { content: 'Stays' })
  await api.post(`/messages/${id}/split`)
}

async function useFiles(api: Client): Promise<void> {
  const { id } = await makePicture(api)
  const { id: ticket } = await makeTicket(api)
  await makeMessage(api, ticket, { media_ids: [id] })
  const one = `/media/${id}`
  await api.get(`${one}?inline=1`)
  await api.get(one, { headers: { range: 'bytes=0-9' } })
  await api.get(one, { headers: { range: 'bytes=99999-' } })
  await api.get(one, { headers: { 'if-none-match': '*' } })
  await api.get(`${one}/info`)
  await api.get(`${one}/thumb`)
  await api.get('/media/nothing')
  await upload(api, [])
  await upload(api, { content: '' }, { 'content-type': 'text/plain' })
}

async function useKnowledge({ api, db, acme }: TestServer): Promise<void> {
  const base = '/knowledge-base'
  const category = ['Account']
  const { slug } = await makeArticle(db, acme, { category, tags: ['password'] })
  await makeArticle(db, acme, { slug, locale: 'de', title: 'Kennwort' })
  await api.get(`${base}/categories?locale=de`)
  await api.get(`${base}/categories/account`)
  await api.get(`${base}/articles?page_size=1&q=password`)
  await api.get(`${base}/articles?tag=password`)
  await api.get(`${base}/articles/${slug}?locale=de`)
  await api.get(`${base}/articles/none`)
  await api.get(`${base}/categories/none`)
  await leaveWithoutKnowledge(db, acme)
  await api.get(`${base}/articles`)
  await db`update projects set plan = 'unlimited' where id = ${acme.id}`
}

async function useDeliveries(api: Client, webhook: string): Promise<void> {
  // A delivery that is still waiting cannot be repeated.
  const { id } = await until(
    async () => (await api.get(`${webhook}/deliveries?page_size=1&status=succeeded`)).body.items[0],
  )
  const one = `${webhook}/deliveries/${id}`
  await api.get(one)
  await api.post(`${one}/redeliver`)
  await api.delete(webhook)
  await api.get(webhook)
}

/** Events that only people cause, in the dashboard. */
async function actAsPeople(server: TestServer): Promise<void> {
  const { api, acme } = server
  const [olga, omar] = [await joinProject(server, acme, { name: 'Olga' }), await joinProject(server, acme)]
  const { id: ticket } = await makeTicket(api)
  const { id: message } = await makeMessage(api, ticket)
  await olga.api.post(`/tickets/${ticket}/take`)
  await omar.api.post(`/tickets/${ticket}/force-take`)
  await omar.api.put(`/messages/${message}/reactions/👍`)
  await omar.api.put('/me/status', { status: 'away', text: 'Back at three' })
}

/** Events that only visitors cause, in the chat. */
async function actAsVisitor(server: TestServer): Promise<void> {
  await switchOn(server, server.acme, { notifies_visitors: true })
  const vera = await signIn(server, { id: '42', name: 'Vera' })
  const { id } = await ask(vera)
  const message = await reply(await joinProject(server, server.acme), id, 'It is on its way')
  const reaction = `/tickets/${id}/messages/${message.id}/reactions/${encodeURIComponent('👍')}`
  await vera.api.put(reaction)
  await vera.api.delete(reaction)
}

/** Every billing event. No API operation causes them. */
async function payAndExpire({ db, acme: { id } }: TestServer): Promise<void> {
  await putPlans(db)
  const order = { gateway: 'offline', method: 'bank_transfer', amount: 2900 * 3, currency: 'EUR' }
  const payment = await orderPayment(db, id, order)
  await failPayment(db, payment, 'cancelled')
  await receivePayment(db, payment, { ...payment, by: 'test' })
  await setProjectPlan(db, id, 'trial')
  for (const days of ['14 days', '31 days', '31 days', '31 days']) {
    await passTime(db, { id }, days)
    while ((await renewDue(db, id)) > 0);
  }
}

async function causeErrors({ api, stranger }: TestServer): Promise<void> {
  await stranger.get('/tickets')
  await api.post('/tickets', {})
  await api.post('/tickets', { contact: {} })
  await api.post('/contacts', {})
  await api.post('/contacts', { note: 'x'.repeat(1024 * 1024) })
  await api.get('/tickets?page_size=101')
  await api.get('/tickets/999999')
  await api.get('/contacts/nobody')
  const { id } = await makeTicket(api)
  await api.patch(`/tickets/${id}`, { subject: 'New' }, { headers: { 'If-Match': '"7"' } })
  await api.post(`/tickets/${id}/messages`, { content: ' ' })
  await api.post(`/tickets/${id}/messages`, { media_ids: ['nothing'] })
  await api.post('/webhooks', { url: 'http://127.0.0.1:9/', events: ['ticket.eaten'] })
}
