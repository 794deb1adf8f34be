import { lockActivities } from '../events/activity.ts'
import type { Tx } from '../events/transaction.ts'
import { recountActivity } from '../messages/messages.ts'
import {
  deleteImport,
  deleteSomeRecords,
  type ImportCounts,
  type LockedImport,
  updateImportCounts,
} from './queries.ts'
import { maxRecords, type Removal, type Removed } from './removal.ts'
import {
  deleteContacts,
  deleteLooseMedia,
  deleteMediaOf,
  deleteMessages,
  deleteRecordsOf,
  deleteTickets,
  listContinuedTickets,
  listMessageIds,
  listMovedMessages,
  listRecordsAfter,
  listTicketsAfter,
  listUnusedContacts,
  lockContactsToRemove,
  lockIdentitiesToRemove,
  lockTicketsToRemove,
  updateLinkedTickets,
  updateRemovalStep,
  updateRemoved,
  updateReplies,
} from './removal-queries.ts'
import { removeOrganizations } from './remove-organizations.ts'

/** Deletes some records of an import in one transaction. A removal continues where the last transaction ended, even after a crash. */

const maxTickets = 100
const maxMessages = 2_000

/** Deletes messages with their files, and the records of both. The caller has locked their tickets. */
async function deleteMessagesWithFiles(
  { tx, source }: Removal,
  ids: string[],
): Promise<Partial<ImportCounts>> {
  const { projectId } = tx
  if (!ids.length) return {}
  const files = await deleteMediaOf(tx, projectId, ids)
  await updateReplies(tx, projectId, ids)
  await deleteMessages(tx, projectId, ids)
  const countOf = await deleteRecordsOf(tx, projectId, source, [...ids, ...files])
  return { messages: -countOf('message'), files: -countOf('media') }
}

/** As many tickets as have at most 2,000 messages in total, but at least one, which may have more. */
async function listTickets({ tx, source, after }: Removal) {
  const tickets = await listTicketsAfter(tx, tx.projectId, { source, after }, maxTickets)
  let messages = 0
  return tickets.filter(({ messages_count }, at) => {
    messages += messages_count
    return at === 0 || messages <= maxMessages
  })
}

/** The tickets stay until a later transaction, because they may have more messages than one transaction deletes. */
async function continueLater({ tx, after }: Removal, ids: string[], counts: Partial<ImportCounts>) {
  await recountTickets(tx, ids)
  return { counts, until: after }
}

async function recountTickets(tx: Tx, ids: string[]): Promise<void> {
  await lockActivities(tx, tx.projectId, ids)
  for (const id of ids) await recountActivity(tx, id)
  tx.touch('ticket', ...ids)
}

async function removeTickets(removal: Removal): Promise<Removed> {
  const { tx, source, isForced } = removal
  const { projectId } = tx
  const tickets = await listTickets(removal)
  const ids = tickets.map(({ id }) => id)
  if (!ids.length) return { counts: {}, until: null }
  await lockTicketsToRemove(tx, projectId, ids)
  const continued = isForced ? new Set<string>() : await listContinuedTickets(tx, projectId, source, ids)
  const removed = ids.filter(id => !continued.has(id))
  const messages = await listMessageIds(tx, projectId, removed, maxMessages)
  const counts = await deleteMessagesWithFiles(removal, messages)
  if (messages.length === maxMessages) return continueLater(removal, removed, counts)
  await updateLinkedTickets(tx, projectId, removed)
  await deleteTickets(tx, projectId, removed)
  const countOf = await deleteRecordsOf(tx, projectId, source, removed)
  return {
    counts: { ...counts, tickets: -countOf('ticket') },
    kept: continued.size,
    until: tickets.at(-1)!.source_id,
  }
}

/** Messages that somebody has moved to other tickets. */
async function removeMessages(removal: Removal): Promise<Removed> {
  const { tx, source } = removal
  const moved = await listMovedMessages(tx, tx.projectId, source, maxRecords)
  if (!moved.length) return { counts: {}, until: null }
  const tickets = [...new Set(moved.map(({ ticket_id }) => ticket_id))].sort()
  const counts = await deleteMessagesWithFiles(
    removal,
    moved.map(({ id }) => id),
  )
  await recountTickets(tx, tickets)
  return { counts, until: '' }
}

async function removeFiles({ tx, source, after }: Removal): Promise<Removed> {
  const files = await listRecordsAfter(tx, tx.projectId, { source, kind: 'media', after }, maxRecords)
  const ids = files.map(({ id }) => id)
  if (!ids.length) return { counts: {}, until: null }
  const deleted = await deleteLooseMedia(tx, tx.projectId, ids)
  const countOf = await deleteRecordsOf(tx, tx.projectId, source, deleted)
  return { counts: { files: -countOf('media') }, until: files.at(-1)!.source_id }
}

/** Identities are locked before contacts, and nobody can create a ticket for a contact whose identities are locked. */
async function removeContacts({ tx, source, after }: Removal, isMerged: boolean): Promise<Removed> {
  const { projectId } = tx
  const contacts = await listRecordsAfter(tx, projectId, { source, kind: 'contact', after }, maxRecords)
  if (!contacts.length) return { counts: {}, until: null }
  const all = contacts.map(({ id }) => id)
  const candidates = await listUnusedContacts(tx, projectId, { source, isMerged }, all)
  await lockIdentitiesToRemove(tx, projectId, candidates)
  await lockContactsToRemove(tx, projectId, candidates)
  const unused = await listUnusedContacts(tx, projectId, { source, isMerged }, candidates)
  await deleteContacts(tx, projectId, unused)
  const countOf = await deleteRecordsOf(tx, projectId, source, unused)
  return { counts: { contacts: -countOf('contact') }, until: contacts.at(-1)!.source_id }
}

const steps = [
  'tickets',
  'messages',
  'files',
  'merged_contacts',
  'contacts',
  'organizations',
  'records',
] as const

function take(step: LockedImport['removal_step'], removal: Removal): Promise<Removed> {
  switch (step) {
    case 'tickets':
      return removeTickets(removal)
    case 'messages':
      return removeMessages(removal)
    case 'files':
      return removeFiles(removal)
    case 'organizations':
      return removeOrganizations(removal)
    default:
      return removeContacts(removal, step === 'merged_contacts')
  }
}

/** If tickets were kept, the import stays, with its records, so that it can be continued, or removed with `force`. */
async function finish({ tx, source }: Removal, kept: number): Promise<void> {
  if (kept > 0) await updateRemoved(tx, tx.projectId, source)
  else if ((await deleteSomeRecords(tx, tx.projectId, source, maxMessages)) === 0)
    await deleteImport(tx, tx.projectId, source)
}

const nothing: ImportCounts = {
  contacts: 0,
  matched_contacts: 0,
  organizations: 0,
  tickets: 0,
  messages: 0,
  files: 0,
}

export async function removeSome(tx: Tx, source: string, found: LockedImport): Promise<void> {
  const { removal_step: step, removed_until: after, is_forced: isForced, kept } = found
  const removal = { tx, source, after, isForced }
  if (step === 'records') return finish(removal, kept)
  const removed = await take(step, removal)
  await updateImportCounts(tx, tx.projectId, source, { ...nothing, ...removed.counts })
  await updateRemovalStep(tx, tx.projectId, source, {
    step: removed.until === null ? steps[steps.indexOf(step) + 1]! : step,
    until: removed.until ?? '',
    kept: removed.kept ?? 0,
  })
}
