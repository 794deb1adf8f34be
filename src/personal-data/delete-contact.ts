import { gatheredContacts } from '../contacts/contacts.ts'
import { lockActivities } from '../events/activity.ts'
import {
  deleteContacts,
  lockContactsToRemove,
  lockIdentitiesToRemove,
  lockTicketsToRemove,
} from '../imports/imports.ts'
import { recountActivity } from '../messages/messages.ts'
import {
  deleteAutomaticEmails,
  deleteImageSenders,
  deleteMailsFrom,
  deleteParticipants,
  deleteRecipientsWith,
  deleteRulesAbout,
  deleteTelegramChats,
  deleteVisitorMedia,
  findLastMessageId,
  findPersonValues,
  hasTicketsOf,
  listContactTexts,
  listWrittenElsewhere,
  updateEmailsElsewhere,
} from './contact-queries.ts'
import { deleteMessagesOfLot, noteDeleted, noteWords } from './delete-tickets.ts'
import type { Lot, Step } from './lot.ts'
import { listContactIds } from './queries.ts'

/** Deletes a contact whose tickets are gone. */

const minId = '00000000-0000-0000-0000-000000000000'
const pageSize = 2_000

async function deleteWrittenElsewhere(lot: Lot, range: readonly [string, string], contactIds: string[]) {
  const { tx } = lot
  const written = await listWrittenElsewhere(tx, tx.projectId, range, contactIds)
  if (written.length === 0) return
  const tickets = [...new Set(written.map(({ ticket_id }) => ticket_id))].sort()
  await lockTicketsToRemove(tx, tx.projectId, tickets)
  await deleteMessagesOfLot(lot, written)
  await lockActivities(tx, tx.projectId, tickets)
  for (const id of tickets) await recountActivity(tx, id)
  tx.touch('ticket', ...tickets)
}

/** What the person has written in the tickets of others, and the address in their emails. */
export const deleteSomeElsewhere: Step = async lot => {
  const { tx, deletion } = lot
  const { projectId } = tx
  if (deletion.kind === 'ticket') return null
  const contactIds = await listContactIds(tx, projectId, deletion.record_id)
  const after = deletion.place || minId
  const last = await findLastMessageId(tx, projectId, after, pageSize)
  if (last === null) return null
  await deleteWrittenElsewhere(lot, [after, last], contactIds)
  const person = await findPersonValues(tx, projectId, contactIds)
  if (person.emails.length) await updateEmailsElsewhere(tx, projectId, [after, last], person)
  return last
}

async function deleteAddresses({ tx, counts }: Lot, emails: string[]): Promise<void> {
  const { projectId } = tx
  counts.mails += await deleteMailsFrom(tx, projectId, emails)
  for (const deleteRows of [
    deleteParticipants,
    deleteRecipientsWith,
    deleteRulesAbout,
    deleteImageSenders,
    deleteAutomaticEmails,
  ])
    await deleteRows(tx, projectId, emails)
}

/** The caller must check afterwards whether the contact has received another ticket since the others were deleted. */
async function deletePerson(lot: Lot, contactIds: string[]): Promise<void> {
  const { tx, counts } = lot
  const { projectId } = tx
  const files = await deleteVisitorMedia(tx, projectId, contactIds)
  const texts = await listContactTexts(tx, projectId, contactIds)
  const written = texts.flatMap(contact => gatheredContacts.read({ ...contact, language: null }))
  await noteWords(
    lot,
    written.map(({ text }) => text),
  )
  await deleteContacts(tx, projectId, contactIds)
  await noteDeleted(lot, [...contactIds, ...files])
  counts.files += files.length
}

export const deletePersonOfDeletion: Step = async lot => {
  const { tx, deletion } = lot
  const { projectId } = tx
  if (deletion.kind === 'ticket') return null
  const contactIds = await listContactIds(tx, projectId, deletion.record_id)
  if (contactIds.length === 0) return null
  const { emails } = await findPersonValues(tx, projectId, contactIds)
  await deleteAddresses(lot, emails)
  await deleteTelegramChats(tx, projectId, contactIds)
  await lockIdentitiesToRemove(tx, projectId, contactIds)
  await lockContactsToRemove(tx, projectId, contactIds)
  if (await hasTicketsOf(tx, projectId, contactIds)) deletion.step = 'tickets'
  else await deletePerson(lot, contactIds)
  return ''
}
