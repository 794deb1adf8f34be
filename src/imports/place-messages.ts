import type { MediaItem } from '../media/schema.ts'
import { lockMediaForMessage } from '../messages/messages.ts'
import { makeIdAt } from './ids.ts'
import { listTakenExternalIds, listTicketsOfMessages } from './message-queries.ts'
import type { PreparedMessage } from './prepare-messages.ts'
import { findImportedIds } from './put-contacts.ts'
import type { ItemReport } from './report.ts'
import type { ImportRun } from './run.ts'

/** Finds what imported messages refer to: earlier messages, files, external ids. */

export interface MessageToPut {
  prepared: PreparedMessage
  report: ItemReport
}

/** A ticket with its new messages. */
export interface TicketWithMessages {
  ticket_id: string
  /** The ticket that was merged into this one, if the messages belong to it. */
  moved_from: string | null
  channel: string
  contact_id: string
  messages: MessageToPut[]
}

export interface PlacedMessage extends MessageToPut {
  id: string
  ticket: TicketWithMessages
  media: MediaItem[]
}

/** Returns the messages that are not imported yet, with new ids. Messages with the same time keep the order of the items. */
export async function placeMessages(run: ImportRun, tickets: TicketWithMessages[]) {
  const all = tickets.flatMap(ticket =>
    ticket.messages.filter(({ report }) => !report.isSkipped).map(one => ({ ...one, ticket })),
  )
  const named = all.flatMap(({ prepared: { item } }) => [
    item.source_id,
    ...(item.reply_to ? [item.reply_to] : []),
  ])
  const ids = await findImportedIds(run, 'message', named)
  const placed: PlacedMessage[] = []
  for (const one of all) {
    const { item, created_at } = one.prepared
    const known = ids.get(item.source_id)
    if (known) {
      one.report.settle('existing', known)
      continue
    }
    const id = makeIdAt(created_at, placed.length)
    ids.set(item.source_id, id)
    one.report.settle('created', id)
    placed.push({ ...one, id, media: [] })
  }
  return { placed, ids }
}

/** Assigns each free file to the first message that refers to it. */
export async function assignFiles({ tx }: ImportRun, placed: PlacedMessage[]): Promise<void> {
  const wanted = [...new Set(placed.flatMap(({ prepared }) => prepared.item.media_ids ?? []))]
  if (!wanted.length) return
  const { media } = await lockMediaForMessage(tx, wanted)
  const free = new Map(media.map(file => [file.id, file]))
  for (const one of placed)
    for (const id of one.prepared.item.media_ids ?? []) {
      const file = free.get(id)
      if (file) one.media.push(file)
      else one.report.warn('media_ids', id, 'not_found')
      free.delete(id)
    }
}

/** Returns a function that gives the id of the message that a message answers, if both are in the same ticket. */
export async function findAnswered(
  { tx }: ImportRun,
  placed: PlacedMessage[],
  ids: ReadonlyMap<string, string>,
) {
  const tickets = new Map(placed.map(({ id, ticket }) => [id, ticket.ticket_id]))
  const answered = placed.flatMap(({ prepared: { item } }) =>
    item.reply_to ? (ids.get(item.reply_to) ?? []) : [],
  )
  const others = answered.filter(id => !tickets.has(id))
  const rows = others.length ? await listTicketsOfMessages(tx, tx.projectId, others) : []
  for (const { id, ticket_id } of rows) tickets.set(id, ticket_id)
  return ({ prepared: { item }, ticket, report }: PlacedMessage): string | null => {
    if (!item.reply_to) return null
    const id = ids.get(item.reply_to)
    if (id && tickets.get(id) === ticket.ticket_id) return id
    report.warn('reply_to', item.reply_to, 'not_found')
    return null
  }
}

/** Each external_id can belong to only one message of the project. */
export async function createExternalIdCheck({ tx }: ImportRun, placed: PlacedMessage[]) {
  const sent = placed.flatMap(({ prepared }) => prepared.item.external_id ?? [])
  const taken = sent.length ? await listTakenExternalIds(tx, tx.projectId, sent) : new Set<string>()
  return ({ prepared: { item }, report }: PlacedMessage): string | null => {
    const { external_id = null } = item
    if (external_id === null) return null
    if (taken.has(external_id)) {
      report.warn('external_id', external_id, 'identifier_taken')
      return null
    }
    taken.add(external_id)
    return external_id
  }
}
