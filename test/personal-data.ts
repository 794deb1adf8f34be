import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { newId } from '../src/core/ids.ts'
import { createStorages } from '../src/media/media.ts'
import { makeTicket } from './cast.ts'
import { makeChannel } from './custom-channel.ts'
import type { Desk } from './desk.ts'
import { importItems, oldTicket } from './imports.ts'
import { emailOfAnn } from './mail/give-email.ts'
import { gatherWords } from './questions/gather.ts'
import type { TestServer } from './server.ts'
import { insertBot } from './telegram/bots.ts'
import { until } from './until.ts'
import { makeUpload } from './upload.ts'

/** A person whose data contains a marker in every place where the project stores personal data. */

export interface MarkedPerson {
  contactId: string
  ticketId: string
  /** Someone else's ticket in which the person takes part. */
  otherTicketId: string
}

interface Marking {
  server: TestServer
  desk: Desk
  marker: string
}

/** Stores an object as a file or an original email, and returns its key. */
async function storeObject({ server, marker }: Marking): Promise<string> {
  const key = randomUUID().replaceAll('-', '')
  const { storage } = await createStorages(server).choose(server.acme.id)
  await storage.write(key, Readable.from([Buffer.from(`From: ${marker}`)]))
  return key
}

async function markTickets({ server: { api, db }, desk, marker }: Marking) {
  const email = `${marker}@example.com`
  const contact = { email, full_name: `Name ${marker}`, external_id: `ext-${marker}`, phone: `+49 ${marker}` }
  const file = await makeUpload(api, { filename: `${marker}.txt`, content: `bytes ${marker}` })
  const made = await api.post(
    '/tickets',
    { contact, subject: `Subject ${marker}`, content: `Question ${marker}`, custom_fields: { note: marker } },
    { headers: { 'idempotency-key': newId() } },
  )
  const ticket = made.body
  await api.patch(`/contacts/${ticket.contact_id}`, { note: `Knows ${marker}`, custom_fields: { k: marker } })
  await api.post(`/tickets/${ticket.id}/messages`, { content: `Reply ${marker}`, media_ids: [file.id] })
  const draftFile = await makeUpload(api, { filename: `draft-${marker}.txt`, content: `draft ${marker}` })
  await desk.operator.put(`/tickets/${ticket.id}/draft`, {
    content: `Draft ${marker}`,
    media_ids: [draftFile.id],
    version: 0,
  })
  const note = { content: `Note ${marker}`, is_internal: true }
  await desk.operator.post(`/tickets/${ticket.id}/messages`, note, {
    headers: { 'idempotency-key': newId() },
  })
  await api.post(`/tickets/${ticket.id}/rate`, { rating: 2, comment: `Bad ${marker}` })
  const merged = await makeTicket(api, { contact: { email }, subject: `Merged ${marker}`, content: marker })
  await api.post(`/tickets/${merged.id}/merge`, { into_ticket_id: ticket.id })
  const [question] = await db<{ id: string }[]>`
      select id from messages where ticket_id = ${ticket.id} and content like 'Question%'`
  return { contactId: ticket.contact_id as string, ticketId: ticket.id as string, messageId: question!.id }
}

/** Adds the rows that the email channel writes, to the person's ticket and to someone else's. */
async function markEmails(marking: Marking, ticketId: string, messageId: string, otherTicketId: string) {
  const { server, marker } = marking
  const { db, acme } = server
  const address = `${marker}@example.com`
  for (const message of [messageId, null])
    await db`
      insert into incoming_mails (project_id, id, source, envelope_from, envelope_to, client, size, storage_key, received_at, state,
        header_id, fingerprint, sender, subject, message_id)
      values (${acme.id}, ${newId()}, 'smtp', ${address}, ${[marker]}, ${{ helo: marker }}, 1, ${await storeObject(marking)}, now(), 'done',
        ${marker}, ${marker}, ${address}, ${marker}, ${message})`
  await db`update messages set email = ${{ ...emailOfAnn, from: address, subject: marker }} where id = ${messageId}`
  const [other] = await db<
    { id: string }[]
  >`select id from messages where ticket_id = ${otherTicketId} limit 1`
  const email = { ...emailOfAnn, from: 'bob@example.com', cc: [address], from_name: `Name ${marker}` }
  await db`update messages set email = ${email} where id = ${other!.id}`
  for (const message of [messageId, other!.id]) {
    await db`
      insert into mail_details (project_id, message_id, headers, quoted_text, quoted_html)
      values (${acme.id}, ${message}, ${[{ name: 'Cc', value: address }]}, ${marker}, ${marker})`
    await db`
      insert into mail_recipients (project_id, message_id, address, name, kind, status, words)
      values (${acme.id}, ${message}, ${address}, ${marker}, 'to', 'failed', ${marker})`
    await db`insert into mail_ids (project_id, hash, message_id) values (${acme.id}, ${Buffer.from(marker)}, ${message})`
  }
  await db`delete from mail_ids where message_id = ${other!.id}`
  for (const ticket of [ticketId, otherTicketId]) {
    await db`
      insert into ticket_participants (project_id, ticket_id, address, name, is_removed)
      values (${acme.id}, ${ticket}, ${address}, ${marker}, false)`
    await db`
      insert into automatic_emails (project_id, ticket_id, address, domain)
      values (${acme.id}, ${ticket}, ${address}, ${marker})`
  }
  await db`
    insert into outgoing_emails (project_id, message_id, storage_key) values (${acme.id}, ${messageId}, ${await storeObject(marking)})`
  await db`
    insert into identity_codes (project_id, type, value, code_hash, sent_at, counted_since)
    values (${acme.id}, 'email', ${address}, '', now(), now())`
  await db`
    insert into notice_emails (project_id, id, operator_id, ticket_id, is_internal, content)
    select ${acme.id}, ${newId()}, id, ${ticketId}, false, ${marker} from operators where project_id = ${acme.id} limit 1`
}

async function markMessengers({ server, desk, marker }: Marking, { contactId, messageId }: Marked) {
  const { db, acme, api } = server
  const bot = await insertBot(server, acme, 'acme_bot')
  const chat = newId()
  await db`
    insert into telegram_chats (project_id, id, bot_id, chat_id, title, contact_id)
    values (${acme.id}, ${chat}, ${bot}, 4711, ${marker}, ${contactId})`
  await db`
    insert into telegram_updates (project_id, bot_id, update_id, chat_id, content, state, last_error)
    values (${acme.id}, ${bot}, 1, ${chat}, ${{ message: { text: marker } }}, 'done', ${marker})`
  await db`
    insert into telegram_messages (project_id, chat_id, telegram_id, message_id, caption, missing)
    values (${acme.id}, ${chat}, 5, ${messageId}, ${marker}, ${marker})`
  await db`
    insert into telegram_sends (project_id, message_id, chat_id, next_part, buttons)
    values (${acme.id}, ${messageId}, ${chat}, 0, ${marker})`
  await db`
    insert into telegram_used_links (project_id, token, chat_id, expires_at)
    values (${acme.id}, ${marker}, ${chat}, now() + interval '1 hour')`
  const program = await makeChannel(desk.admin, api)
  const posted = await program.post(marker, `From a messenger ${marker}`)
  await api.post(`/contacts/${posted.body.sender_id}/merge`, { into_contact_id: contactId })
}

async function markVisitor({ server, marker }: Marking, { contactId, ticketId }: Marked) {
  const { db, acme, api } = server
  const visitor = newId()
  await db`
    insert into visitors (project_id, id, token_hash, contact_id, name, page_url)
    values (${acme.id}, ${visitor}, ${Buffer.from(marker)}, ${contactId}, ${marker}, ${`https://acme.example/${marker}`})`
  await db`
    insert into widget_tickets (project_id, ticket_id, visitor_id, surface, page_url)
    values (${acme.id}, ${ticketId}, ${visitor}, 'widget', ${marker})`
  await db`
    insert into visitor_answers (project_id, visitor_id, key, request_hash, body)
    values (${acme.id}, ${visitor}, ${marker}, '', ${server.vault.seal('{}', `answers ${acme.id}`)})`
  const file = await makeUpload(api, { filename: `visitor-${marker}.txt`, content: `visitor ${marker}` })
  await db`insert into visitor_files (project_id, media_id, visitor_id) values (${acme.id}, ${file.id}, ${visitor})`
}

/** Adds what is logged about requests and deliveries, and settings that contain the address. */
async function markLogs({ server, desk, marker }: Marking) {
  const { api, db, acme } = server
  const address = `${marker}@example.com`
  await api.post('/sender-rules', { pattern: address, verdict: 'blocked' })
  await desk.operator.put(`/image-senders/${address}`)
  await api.get(`/contacts?email=${encodeURIComponent(address)}`)
  await api.get(`/contacts/email:${address}`)
  await until(
    async () => (await db`select from api_requests where path like ${`%/email:${marker}%`}`).length > 0,
  )
  const log = [{ attempt: 1, response_excerpt: marker }]
  await db`
    update webhook_queue q set attempts_log = ${log} where project_id = ${acme.id} and exists (
      select from events e where e.id = q.event_id and e.data::text like ${`%${marker}%`})`
  await db`
    insert into webhook_deliveries (project_id, webhook_id, id, event_seq, event_id, event_type, status, attempts, attempts_log,
      request_body, created_at, finished_at)
    select project_id, webhook_id, uuid_v7(), event_seq, event_id, event_type, 'failed', 1, attempts_log, ${marker}, now(), now()
    from webhook_queue where project_id = ${acme.id} and attempts_log <> '[]'`
}

type Marked = Awaited<ReturnType<typeof markTickets>>

/** Writes the marker everywhere. Webhook deliveries are inserted directly, because the server delivers none. */
export async function markPerson(marking: Marking): Promise<MarkedPerson> {
  const { server, marker } = marking
  const { api, acme, db } = server
  await api.post('/webhooks', { url: 'http://127.0.0.1:9/hook' })
  const marked = await markTickets(marking)
  const other = await makeTicket(api, { subject: 'Of somebody else', content: 'Stays' })
  await db`
    insert into messages (project_id, id, ticket_id, sender_type, sender_id, sender_name, content, content_format, channel, delivery_status,
      delivery_updated_at, created_at)
    values (${acme.id}, ${newId()}, ${other.id}, 'contact', ${marked.contactId}, ${marker}, ${`Elsewhere ${marker}`}, 'text', 'email',
      'sent', now(), now())`
  await markEmails(marking, marked.ticketId, marked.messageId, other.id)
  await markMessengers(marking, marked)
  await markVisitor(marking, marked)
  const source = { source_id: `s-${marker}`, email: `${marker}@example.com` }
  await importItems(api, 'tickets', [oldTicket({ source_id: `t-${marker}`, contact: source })])
  await markLogs(marking)
  await gatherWords(server, acme.id)
  return { contactId: marked.contactId, ticketId: marked.ticketId, otherTicketId: other.id }
}
