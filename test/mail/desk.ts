import { newId } from '../../src/core/ids.ts'
import { makeAnchor, makeMessageId, makeReplyAddress } from '../../src/mail/tokens.ts'
import { replyToTicket } from '../../src/tickets/tickets.ts'
import type { TestServer } from '../server.ts'
import type { Seen } from './judge.ts'
import { type HandledMail, openMailbox, type Receiving, receive, startReceiving } from './receiving.ts'

/** Sets up the mailboxes, operators and tickets T1 to T6 that the corpus manifest describes. */

const domain = 'desk.example.com'
const support = `support@${domain}`
const omar = { id: newId(), name: 'Omar Haddad' }

/** Omar's reply in each ticket. */
const answers: Record<string, string> = {
  T1: 'Hello Ann,\n\nWe can send a new lamp tomorrow.\n\nWhich colour do you want?\nAnd where shall it go?\n\nThank you\nAcme\n',
  T2: 'Hello Kenji,\n\nFriday is possible. At which time?\n\nAcme\n',
  T3: 'Hello,\n\nhere it is once more.\n\nAcme\n',
  T4: 'Hello Ann,\n\nwe take note of the box.\n\nAcme\n',
  T5: 'Hello, your card is ready.\n',
  T6: 'Hello Lena,\n\nyour parcel came back to us.\n\nAcme\n',
}

/** Tickets that are not opened by a corpus email. */
const ticketsWithoutEmail = [
  ['T5', 'nobody@dead.example.com', 'Your warranty card'],
  ['T6', 'lena.ferro@example.org', 'Your parcel is back with us'],
] as const

interface KnownTicket {
  id: string
  number: number
  /** The ID of Omar's reply. */
  answer: string
}

type World = Map<string, KnownTicket>

async function createMailboxesAndOperators(receiving: Receiving): Promise<void> {
  const { db, acme } = receiving.server
  const trusted = {
    authserv_ids: [`mx.${domain}`],
    form_senders: ['website@shop.example.com'],
    trusts_spam_headers: true,
  }
  await openMailbox(receiving, support, { aliases: [`help@${domain}`], name: 'Acme Support', ...trusted })
  await openMailbox(receiving, `billing@${domain}`, { name: 'Acme Billing', ...trusted })
  await db`
    insert into operators (project_id, id, name, email) values
      (${acme.id}, ${omar.id}, ${omar.name}, ${`omar@${domain}`}),
      (${acme.id}, ${newId()}, 'Olga Weiss', ${`olga@${domain}`})`
}

async function answer({ db, acme }: TestServer, name: string, ticketId: string): Promise<string> {
  const actor = { type: 'operator' as const, ...omar, avatar_url: null, role: 'operator' as const }
  const caller = { project: { id: acme.id, name: 'Acme' }, actor }
  const { message } = await replyToTicket(db, caller, ticketId, { content: answers[name]! })
  return message.id
}

async function answerAll({ db, api, ...server }: TestServer, world: World): Promise<void> {
  for (const [name, email, subject] of ticketsWithoutEmail) {
    const { body } = await api.post('/tickets', { contact: { email }, subject })
    world.set(name, { id: body.id, number: Number(body.short_id), answer: '' })
  }
  for (const [name, ticket] of world) ticket.answer = await answer({ db, api, ...server }, name, ticket.id)
  const [t1, t3, t4] = ['T1', 'T3', 'T4'].map(name => world.get(name)!.id)
  await api.post(`/tickets/${t3}/close`, {})
  await db`update tickets set closed_at = closed_at - interval '60 days' where id = ${t3!}`
  await api.post(`/tickets/${t4}/merge`, { into_ticket_id: t1 })
}

function fillPlaceholders(raw: Buffer, key: Buffer, world: World): Buffer {
  let text = raw.toString('latin1')
  for (const [name, { id, number, answer: sent }] of world) {
    const placeholder = (what: string) => `${name.toLowerCase()}.${what}@placeholder.example.com`
    text = text
      .replaceAll(placeholder('out'), makeMessageId(key, sent, domain))
      .replaceAll(placeholder('reply'), makeReplyAddress(key, support, id)!)
      .replaceAll(placeholder('anchor'), makeAnchor(key, id, domain))
      .replaceAll(`${name}NUMBER`, String(number))
  }
  return Buffer.from(text, 'latin1')
}

/** The result for an email that does not become a message, in the terms of the manifest. */
const describeDropped = ({ outcome }: HandledMail): Seen =>
  outcome === 'duplicate'
    ? { target: 'duplicate' }
    : { target: 'none', class: outcome === 'backscatter' ? 'bounce' : outcome }

interface SeenFile {
  id: string
  filename: string
  size: number
  content_type: string
}

async function describe({ db, api }: TestServer, world: World, mail: HandledMail): Promise<Seen> {
  if (!mail.message_id) return describeDropped(mail)
  const { body: ticket } = await api.get(`/tickets/${mail.ticket_id}`)
  const { body: message } = await api.get(`/messages/${mail.message_id}`)
  const { body: contact } = await api.get(`/contacts/${message.sender_id}`)
  const [details] = await db`select quoted_text from mail_details where message_id = ${mail.message_id}`
  const nameOf = (id: string | null) => [...world].find(([, one]) => one.id === id)?.[0]
  const followed = nameOf(ticket.follow_up_of_id)
  const { email } = message
  return {
    target: nameOf(ticket.id) ?? (followed ? `follow_up:${followed}` : 'new'),
    reason: mail.outcome,
    class: email.class,
    subject: mail.outcome === 'forwarded' ? ticket.subject : email.subject,
    text: message.content,
    html: message.content_html,
    quoted: details!.quoted_text,
    // A contact keeps the name from its first email.
    contact: {
      email: contact.email,
      name: email.from === contact.email ? email.from_name : contact.full_name,
    },
    media: message.media.map((file: SeenFile) => ({
      ...file,
      inline: email.inline_media_ids.includes(file.id),
    })),
    is_spam: ticket.is_spam,
    authentication: email.authentication.dmarc,
    reopened: ticket.status === 'open',
    answer_to: email.reply_to,
  }
}

export async function makeMailDesk() {
  const receiving = await startReceiving()
  const { server } = receiving
  const key = server.vault.derive('mail')
  const world: World = new Map()
  await createMailboxesAndOperators(receiving)
  return {
    /** Delivers an email that opens a ticket: `setup-t1.eml` opens T1. */
    async setUp(file: string, raw: Buffer): Promise<void> {
      const { ticket_id } = await receive(receiving, support, raw)
      const { body } = await server.api.get(`/tickets/${ticket_id}`)
      world.set(file.slice(6, 8).toUpperCase(), { id: body.id, number: Number(body.short_id), answer: '' })
    },
    answerAll: () => answerAll(server, world),
    /** Sets T1 back to pending. */
    reset: () => server.db`update tickets set status = 'pending' where id = ${world.get('T1')!.id}`,
    /** Fills in the placeholders of an email, delivers it and returns the result. */
    async deliver(raw: Buffer, to = support): Promise<Seen> {
      return describe(server, world, await receive(receiving, to, fillPlaceholders(raw, key, world)))
    },
    close: receiving.close,
  }
}

export type MailDesk = Awaited<ReturnType<typeof makeMailDesk>>
