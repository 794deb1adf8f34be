import type { NewMailbox } from '../../src/channels/email/mailboxes/mailbox.ts'
import { newId } from '../../src/core/ids.ts'
import { makeAnchor, makeMessageId, makeReplyAddress } from '../../src/mail/tokens.ts'
import { replyToTicket } from '../../src/tickets/tickets.ts'
import { type Dovecot, deliverByLmtp } from '../dovecot.ts'
import { fetchMails } from '../mail.ts'
import type { TestServer } from '../server.ts'
import { until } from '../until.ts'
import type { Seen } from './judge.ts'
import { type HandledMail, openMailbox, type Receiving, receive, startReceiving } from './receiving.ts'
import { listRecipientsOf, sendMails, sendThrough, waitForDelivery } from './sending.ts'
import { startSink } from './sink.ts'

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

/** The users of Dovecot whose mailboxes are fetched. */
export const deskUsers = { support: 'secret', billing: 'secret' }

/** Without Dovecot, a mailbox receives by LMTP. */
const incomingOf = (user: keyof typeof deskUsers, dovecot?: Dovecot): Partial<NewMailbox> =>
  dovecot
    ? {
        incoming: 'imap',
        imap: {
          ...{ host: '127.0.0.1', port: dovecot.imapPort, security: 'none' },
          ...{ user, password: deskUsers[user] },
        },
      }
    : {}

/** Returns the ID of the mailbox that sends. */
async function createMailboxesAndOperators(receiving: Receiving, dovecot?: Dovecot): Promise<string> {
  const { db, acme } = receiving.server
  const trusted = {
    authserv_ids: [`mx.${domain}`],
    form_senders: ['website@shop.example.com'],
    trusts_spam_headers: true,
  }
  const { id } = await openMailbox(receiving, support, {
    ...{ aliases: [`help@${domain}`], name: 'Acme Support' },
    ...trusted,
    ...incomingOf('support', dovecot),
  })
  await openMailbox(receiving, `billing@${domain}`, {
    name: 'Acme Billing',
    ...trusted,
    ...incomingOf('billing', dovecot),
  })
  await db`
    insert into operators (project_id, id, name, email) values
      (${acme.id}, ${omar.id}, ${omar.name}, ${`omar@${domain}`}),
      (${acme.id}, ${newId()}, 'Olga Weiss', ${`olga@${domain}`})`
  return id
}

/** The recipients of Omar's reply in T5. */
const sentTo = { to: ['nobody@dead.example.com'], cc: ['okay@example.com'] }

async function answer({ db, acme }: TestServer, name: string, ticketId: string): Promise<string> {
  const actor = { type: 'operator' as const, ...omar, avatar_url: null, role: 'operator' as const }
  const caller = { project: { id: acme.id, name: 'Acme' }, actor }
  const email = name === 'T5' ? sentTo : null
  const { message } = await replyToTicket(db, caller, ticketId, { content: answers[name]!, email })
  return message.id
}

/** Posts Omar's replies, and waits until they have been sent by email. */
async function answerAll(server: TestServer, world: World): Promise<void> {
  const { db, api } = server
  for (const [name, email, subject] of ticketsWithoutEmail) {
    const { body } = await api.post('/tickets', { contact: { email }, subject })
    await db`update tickets set channel = 'email' where id = ${body.id}`
    world.set(name, { id: body.id, number: Number(body.short_id), answer: '' })
  }
  for (const [name, ticket] of world) ticket.answer = await answer(server, name, ticket.id)
  for (const ticket of world.values()) {
    const { status } = await waitForDelivery(server, ticket.answer)
    if (status !== 'sent') throw new Error(`The reply in ticket ${ticket.number} is ${status}`)
  }
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

/** The problem that a report has recorded, in the terms of the manifest. */
async function describeBounce(
  { api, ...server }: TestServer,
  world: World,
  mailId: string,
): Promise<Seen['bounce']> {
  const { body: logged } = await api.get(`/mail-log/${mailId}`)
  const of = [...world].find(([, { answer }]) => answer === logged.reported_message_id)?.[0]
  if (!of) return null
  const recipients = await listRecipientsOf(server, logged.reported_message_id)
  const found = recipients.find(({ status }) => status === 'failed' || status === 'delayed')
  return found ? { of, recipient: found.address, status: found.code } : null
}

/** The result for an email that does not become a message, in the terms of the manifest. */
async function describeDropped(
  server: TestServer,
  world: World,
  { id, outcome }: HandledMail,
): Promise<Seen> {
  if (outcome === 'duplicate') return { target: 'duplicate' }
  const kind = outcome === 'backscatter' ? 'bounce' : outcome
  return { target: 'none', class: kind, bounce: await describeBounce(server, world, id) }
}

interface SeenFile {
  id: string
  filename: string
  size: number
  content_type: string
}

async function describe(server: TestServer, world: World, mail: HandledMail): Promise<Seen> {
  if (!mail.message_id) return describeDropped(server, world, mail)
  const { db, api } = server
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

interface Delivery {
  raw: Buffer
  to?: string | undefined
}

/** Waits until the newest emails of a mailbox have been handled, and returns them in the order of their UIDs. */
const listHandled = ({ db }: TestServer, address: string, count: number): Promise<HandledMail[]> =>
  until(async () => {
    const rows = await db<HandledMail[]>`
      select i.id, i.state, i.outcome, i.reason, i.ticket_id, i.message_id from incoming_mails i
        join mailboxes m on m.project_id = i.project_id and m.id = i.mailbox_id
      where m.address = ${address} order by i.uid desc limit ${count}`
    return rows.length === count && rows.every(({ state }) => state !== 'stored') && rows.toReversed()
  }, 120)

/** Delivers all emails to the mailboxes on Dovecot before the first result is read. */
async function deliverAll(server: TestServer, lmtpPort: number, deliveries: Required<Delivery>[]) {
  for (const { to, raw } of deliveries) await deliverByLmtp(lmtpPort, to, raw)
  const handled = new Map<string, HandledMail[]>()
  for (const address of new Set(deliveries.map(({ to }) => to!)))
    handled.set(
      address,
      await listHandled(server, address, deliveries.filter(({ to }) => to === address).length),
    )
  return deliveries.map(({ to }) => handled.get(to!)!.shift()!)
}

/** Makes each new ticket two hours old. Otherwise, the corpus has more new tickets of one contact than an hour allows. */
const makeTicketsOld = ({ db }: TestServer) =>
  db.unsafe(`
    create function make_ticket_old() returns trigger language plpgsql as
      $$ begin new.created_at := new.created_at - interval '2 hours'; return new; end $$;
    create trigger make_ticket_old before insert on tickets for each row execute function make_ticket_old()`)

/** With a Dovecot, its mailboxes are fetched by IMAP; otherwise the mailboxes receive by LMTP. */
export async function makeMailDesk(dovecot?: Dovecot) {
  const own = await startReceiving()
  const { server } = own
  const stops: (() => unknown)[] = [() => own.close()]
  const context = { after: (run: () => unknown) => void stops.unshift(run) }
  const receiving = { ...own, port: dovecot?.lmtpPort ?? own.port }
  const key = server.vault.derive('mail')
  const world: World = new Map()
  await makeTicketsOld(server)
  await sendThrough(server, await createMailboxesAndOperators(receiving, dovecot), await startSink(context))
  sendMails(context, server)
  if (dovecot) {
    fetchMails(context, server)
    await until(async () => (await server.db`select from mailboxes where last_ok_at is null`).length === 0)
  }
  return {
    /** Delivers an email that opens a ticket: `setup-t1.eml` opens T1. */
    async setUp(file: string, raw: Buffer): Promise<void> {
      const { ticket_id } = await receive(receiving, support, raw)
      const { body } = await server.api.get(`/tickets/${ticket_id}`)
      world.set(file.slice(6, 8).toUpperCase(), { id: body.id, number: Number(body.short_id), answer: '' })
    },
    answerAll: () => answerAll(server, world),
    /** Sets T1 back to pending, and the reply in T5 back to sent. */
    async reset(): Promise<void> {
      const { db } = server
      await db`update tickets set status = 'pending' where id = ${world.get('T1')!.id}`
      const { answer: sent } = world.get('T5')!
      await db`update mail_recipients set status = 'sent', code = null, words = null where message_id = ${sent}`
      await db`update messages set delivery_status = 'sent', delivery_error = null where id = ${sent}`
    },
    /** Fills in the placeholders of an email, delivers it and returns the result. */
    async deliver(raw: Buffer, to = support): Promise<Seen> {
      return describe(server, world, await receive(receiving, to, fillPlaceholders(raw, key, world)))
    },
    /** Like `deliver` for many emails. The results are in the order of the emails. */
    async deliverAll(deliveries: Delivery[]): Promise<Seen[]> {
      const filled = deliveries.map(({ raw, to = support }) => ({
        raw: fillPlaceholders(raw, key, world),
        to,
      }))
      const seen: Seen[] = []
      for (const mail of await deliverAll(server, receiving.port, filled))
        seen.push(await describe(server, world, mail))
      return seen
    },
    async close(): Promise<void> {
      for (const stop of stops) await stop()
    },
  }
}

export type MailDesk = Awaited<ReturnType<typeof makeMailDesk>>
