import { parseTime, toDatabase } from '../core/time.ts'
import type { KnownContact } from './contact-queries.ts'
import type { NewMessageRow, NewReactionRow } from './message-queries.ts'
import type { FindOperator } from './people.ts'
import type { PlacedMessage } from './place-messages.ts'

/** Finds who wrote imported messages, and who reacted to them. */

/** The people who may have written the messages of a call. */
export interface KnownPeople {
  projectId: string
  findOperator: FindOperator
  /** The id of an imported contact, by its id in the other system. */
  contactIds: ReadonlyMap<string, string>
  contacts: ReadonlyMap<string, KnownContact>
}

type Sender = Pick<NewMessageRow, 'sender_type' | 'sender_id' | 'sender_name' | 'sender_avatar_url'>

/** The contact with this id in the other system; by default, the ticket's contact. */
function contactOf(
  { ticket }: PlacedMessage,
  sourceId: string | null | undefined,
  { contactIds }: KnownPeople,
): string | null {
  return sourceId ? (contactIds.get(sourceId) ?? null) : ticket.contact_id
}

function describeContact(one: PlacedMessage, people: KnownPeople): Sender {
  const { author } = one.prepared.item
  const sender_id = contactOf(one, author.source_id, people)
  if (sender_id === null) one.report.warn('author', author.source_id, 'not_found')
  const contact = sender_id === null ? null : people.contacts.get(sender_id)
  return {
    sender_type: 'contact',
    sender_id,
    sender_name: author.name ?? contact?.full_name ?? contact?.email ?? author.email ?? null,
    sender_avatar_url: author.avatar_url ?? null,
  }
}

function describeOperator({ prepared, report }: PlacedMessage, { findOperator }: KnownPeople): Sender {
  const { author } = prepared.item
  const operator = findOperator(author)
  if (!operator) report.warn('author', author.email ?? author.id ?? author.name ?? null, 'unknown_operator')
  return {
    sender_type: 'operator',
    sender_id: operator?.id ?? null,
    sender_name: author.name ?? operator?.name ?? author.email ?? null,
    sender_avatar_url: author.avatar_url ?? operator?.avatar_url ?? null,
  }
}

export function describeImportedSender(one: PlacedMessage, people: KnownPeople): Sender {
  const { type, name = null, avatar_url = null } = one.prepared.item.author
  if (type === 'contact') return describeContact(one, people)
  if (type === 'operator') return describeOperator(one, people)
  return {
    sender_type: type,
    sender_id: type === 'bot' ? people.projectId : null,
    sender_name: name,
    sender_avatar_url: avatar_url,
  }
}

/** Reactions of people who are not in this project are left out. */
export const reactionsOf = (one: PlacedMessage, people: KnownPeople): NewReactionRow[] =>
  (one.prepared.item.reactions ?? []).flatMap(reaction => {
    const { reactor_kind, emoji, source_id, created_at } = reaction
    const reactor_id =
      reactor_kind === 'contact'
        ? contactOf(one, source_id, people)
        : (people.findOperator(reaction)?.id ?? null)
    if (reactor_id === null) {
      one.report.warn('reactions', emoji, reactor_kind === 'contact' ? 'not_found' : 'unknown_operator')
      return []
    }
    return {
      message_id: one.id,
      ...{ reactor_kind, reactor_id, emoji, created_at: toDatabase(parseTime(created_at)!) },
    }
  })
