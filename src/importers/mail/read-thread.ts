import { foldEmail, isEmail } from '../../core/email.ts'
import { shortenText } from '../../core/text/shorten-text.ts'
import type { ImportedContact, ImportedMessage, ImportedTicket } from '../../imports/schema.ts'
import type { MailAddress } from '../../mail/mail.ts'
import type { Earlier } from '../../mail/quotes.ts'
import type { ImportItem } from '../importer.ts'
import type { IndexedMail } from './index-mail.ts'
import { type MailContext, type ReadMessage, readMessage, timeOf } from './read-message.ts'

/** Converts a conversation to a ticket. */

/** How many messages are imported with the ticket. The others follow one by one. */
const maxFirst = 100
/** How many earlier messages a quote is compared with. */
const maxEarlier = 40

export interface ThreadOptions {
  status: 'closed' | 'open'
}

const idOf = ({ address }: MailAddress): string => foldEmail(address).slice(0, 255)

const contactOf = (person: MailAddress): ImportedContact => {
  const name = person.name?.slice(0, 255) ?? null
  return isEmail(person.address)
    ? { source_id: idOf(person), email: person.address, full_name: name, source: 'email' }
    : { source_id: idOf(person), full_name: name ?? person.address.slice(0, 255), source: 'email' }
}

/** The first sender who is not one of ours, or else the first recipient who is not, or else the first sender. */
function findContact({ own }: MailContext, messages: ReadMessage[]): MailAddress | null {
  const isOther = (one: MailAddress): boolean => own.kindOf(one.address) === 'contact'
  const writers = messages.map(one => one.writer.contact).filter(one => one !== null)
  const recipients = messages.flatMap(({ mail: { headers } }) => [...headers.to, ...headers.cc])
  return writers.find(isOther) ?? recipients.find(isOther) ?? writers[0] ?? null
}

/** Our own senders are operators or bots, except one who is the contact of the ticket. */
function authorOf(
  { own }: MailContext,
  writer: MailAddress | null,
  contact: MailAddress,
): ImportedMessage['author'] {
  if (!writer) return { type: 'bot', name: 'Unknown sender' }
  const { address } = writer
  const name = (writer.name ?? address).slice(0, 255)
  const kind = idOf(writer) === idOf(contact) ? 'contact' : own.kindOf(address)
  if (kind === 'contact') return { type: 'contact', source_id: idOf(writer), name }
  if (kind === 'project') return { type: 'bot', name }
  // If the email has no name, the import uses the operator's name.
  return { type: 'operator', email: address, ...(writer.name !== null && { name }) }
}

/** Remembers the messages that later ones may quote. */
class EarlierMessages {
  readonly #list: { text: string; people: MailAddress[]; at: string }[] = []

  add({ mail: { headers }, writer, message }: ReadMessage): void {
    const people = [writer.contact, ...headers.to].filter(one => one !== null)
    this.#list.unshift({ text: message.content, people, at: message.created_at })
    this.#list.length = Math.min(this.#list.length, maxEarlier)
  }

  read(): Earlier {
    const people = this.#list.flatMap(one => one.people)
    return {
      texts: this.#list.map(one => one.text),
      addresses: [...new Set(people.map(one => one.address))],
      names: [...new Set(people.flatMap(one => one.name ?? []))],
      dates: this.#list.map(one => one.at),
    }
  }
}

function makeTicket(
  mails: IndexedMail[],
  contact: MailAddress,
  messages: ImportedMessage[],
  { status }: ThreadOptions,
): ImportedTicket {
  const subject = shortenText(messages[0]!.email?.subject?.trim() ?? '', 255).kept
  return {
    source_id: mails[0]!.sourceId,
    subject: subject || null,
    status,
    channel: 'email',
    contact: idOf(contact),
    created_at: timeOf(mails[0]!),
    ...(status === 'closed' && { closed_at: timeOf(mails.at(-1)!) }),
    messages,
  }
}

/** The part of a conversation that earlier runs imported. */
export interface ImportedThread {
  /** The source id of its ticket; null if there is none. */
  ticket: string | null
  /** The source ids of its messages. */
  messages: Set<string>
}

/** Returns the messages with their authors, and the contacts among these. */
function finish(context: MailContext, contact: MailAddress, read: ReadMessage[]) {
  const messages = read.map(({ message, writer }) => ({
    ...message,
    author: authorOf(context, writer.contact, contact),
  }))
  const writers = read.flatMap(({ writer }, at) =>
    writer.contact && messages[at]!.author.type === 'contact' ? [writer.contact] : [],
  )
  const contacts: ImportItem[] = writers.map(one => ({ kind: 'contact', item: contactOf(one) }))
  return { messages, contacts }
}

/**
 * Yields the ticket of a conversation with its first messages, then the others. Emails that were imported before are read too, because
 * later ones may quote them.
 */
export async function* readThread(
  context: MailContext,
  mails: IndexedMail[],
  known: ImportedThread,
  options: ThreadOptions,
): AsyncGenerator<ImportItem> {
  const earlier = new EarlierMessages()
  const read = async (mail: IndexedMail): Promise<ReadMessage> => {
    const message = await readMessage(context, mail, earlier.read())
    earlier.add(message)
    return message
  }
  const first: ReadMessage[] = []
  for (const mail of mails.slice(0, maxFirst)) first.push(await read(mail))
  const contact = findContact(context, first)
  if (!contact) return yield* mails.map(skipWithoutSender)
  const ticket = known.ticket ?? mails[0]!.sourceId
  const { messages, contacts } = finish(context, contact, first)
  yield { kind: 'contact', item: contactOf(contact) }
  yield* contacts
  const later = function* (list: ImportedMessage[]): Generator<ImportItem> {
    for (const one of list)
      if (!known.messages.has(one.source_id)) yield { kind: 'message', item: { ticket, ...one } }
  }
  if (known.ticket !== null) yield* later(messages)
  else yield { kind: 'ticket', item: makeTicket(mails, contact, messages, options) }
  for (const mail of mails.slice(maxFirst)) {
    const { messages, contacts } = finish(context, contact, [await read(mail)])
    yield* contacts
    yield* later(messages)
  }
}

const skipWithoutSender = ({ sourceId }: IndexedMail): ImportItem => ({
  kind: 'skipped',
  source_id: sourceId,
  reason: 'no_sender',
})
