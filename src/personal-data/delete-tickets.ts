import { readTokens } from '../core/words/tokens.ts'
import {
  deleteMediaOf,
  deleteMessages,
  deleteTickets,
  lockTicketsToRemove,
  updateLinkedTickets,
  updateReplies,
} from '../imports/imports.ts'
import { gatheredMessages } from '../messages/messages.ts'
import { gatheredTickets } from '../tickets/tickets.ts'
import type { Lot, Step } from './lot.ts'
import { insertDeletedRecords, listContactIds } from './queries.ts'
import {
  type DeletedMessage,
  type DeletedTicket,
  deleteDemoRecordsOf,
  deleteDraftMedia,
  deleteImportedRecords,
  deleteMailsOfMessages,
  deleteMailsOfTickets,
  listMessagesToDelete,
  listTicketsToDelete,
  updateTelegramContents,
} from './ticket-queries.ts'
import { insertDeletedWords } from './word-queries.ts'

/** Deletes tickets with their messages, and messages. Most other rows about them are deleted by their foreign keys. */

const maxTickets = 100
const maxMessages = 500

/** Remembers the words of deleted texts, which the search forgets at the end. */
export async function noteWords({ tx, deletion }: Lot, texts: string[]): Promise<void> {
  const words = new Set(texts.flatMap(text => readTokens(text).map(({ word }) => word)))
  if (words.size) await insertDeletedWords(tx, tx.projectId, deletion.id, [...words].sort())
}

export async function noteDeleted({ tx, deletion }: Lot, ids: string[]): Promise<void> {
  await insertDeletedRecords(tx, tx.projectId, deletion.id, ids)
  await deleteImportedRecords(tx, tx.projectId, ids)
  await deleteDemoRecordsOf(tx, tx.projectId, ids)
}

export async function deleteMessagesOfLot(lot: Lot, messages: DeletedMessage[]): Promise<void> {
  if (messages.length === 0) return
  const { tx, counts } = lot
  const { projectId } = tx
  const ids = messages.map(({ id }) => id)
  counts.mails += await deleteMailsOfMessages(tx, projectId, ids)
  await updateTelegramContents(tx, projectId, ids)
  const files = await deleteMediaOf(tx, projectId, ids)
  await updateReplies(tx, projectId, ids)
  await deleteMessages(tx, projectId, ids)
  await noteDeleted(lot, [...ids, ...files])
  const texts = messages.flatMap(message => gatheredMessages.read({ ...message, language: null }))
  await noteWords(
    lot,
    texts.map(({ text }) => text),
  )
  counts.files += files.length
  counts.messages += ids.length
}

async function deleteEmptyTickets(lot: Lot, tickets: DeletedTicket[]): Promise<void> {
  const { tx, counts } = lot
  const { projectId } = tx
  const ids = tickets.map(({ id }) => id)
  counts.mails += await deleteMailsOfTickets(tx, projectId, ids)
  const files = await deleteDraftMedia(tx, projectId, ids)
  await updateLinkedTickets(tx, projectId, ids)
  await deleteTickets(tx, projectId, ids)
  await noteDeleted(lot, [...ids, ...files])
  const texts = tickets.flatMap(ticket => gatheredTickets.read({ ...ticket, language: null }))
  await noteWords(
    lot,
    texts.map(({ text }) => text),
  )
  counts.files += files.length
  counts.tickets += ids.length
}

/** Nobody can add messages to the tickets until the commit. Tickets with more messages are deleted by a later transaction. */
export const deleteSomeTickets: Step = async lot => {
  const { tx, deletion } = lot
  const { projectId } = tx
  const contactIds =
    deletion.kind === 'contact' ? await listContactIds(tx, projectId, deletion.record_id) : []
  const tickets = await listTicketsToDelete(tx, projectId, deletion, contactIds, maxTickets)
  if (tickets.length === 0) return null
  const ids = tickets.map(({ id }) => id)
  await lockTicketsToRemove(tx, projectId, ids)
  const messages = await listMessagesToDelete(tx, projectId, ids, maxMessages)
  await deleteMessagesOfLot(lot, messages)
  if (messages.length < maxMessages) await deleteEmptyTickets(lot, tickets)
  return ''
}
