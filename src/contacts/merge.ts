import type { Db, Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { changesOf } from '../core/fields.ts'
import { isId } from '../core/ids.ts'
import { type ChangedBy, changedBySystem } from '../events/ticket-history.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { recordContactAudit } from './contact-audit.ts'
import { changeAndGetContact, getContact } from './find.ts'
import { matchOrder } from './identities.ts'
import {
  type Identity,
  listIdentities,
  lockContactIdentities,
  updateIdentitiesContact,
  updateNoPrimary,
} from './identity-queries.ts'
import { describeChanges, printBlock, unionOf } from './merge-choice.ts'
import {
  insertContactMerge,
  insertMergeTickets,
  listContactsInDeletion,
  lockMergedContact,
} from './merge-queries.ts'
import type { MergeWinners } from './merge-schema.ts'
import {
  type ContactFields,
  findContact,
  findContactWithUnmovedTickets,
  insertMergedNotice,
  type LockedContact,
  lockContact,
  updateContact,
  updateMergedContacts,
  updateTelegramChatsContact,
  updateTicketsContact,
} from './queries.ts'
import type { Contact } from './schema.ts'
import { emitMoved, moveDueTickets, ticketBatchSize, updateTicketMoves } from './ticket-moves.ts'

/** Locks both contacts with their identities, in the usual order. Nothing leaves or joins a contact that is being deleted. */
export async function lockContactPair(
  tx: Tx,
  sourceId: string,
  targetId: string,
): Promise<[LockedContact, LockedContact]> {
  await lockContactIdentities(tx, tx.projectId, [sourceId, targetId])
  const locked = new Map<string, LockedContact | null>()
  for (const id of [sourceId, targetId].sort()) locked.set(id, await lockContact(tx, tx.projectId, id))
  for (const id of await listContactsInDeletion(tx, tx.projectId, [sourceId, targetId])) locked.set(id, null)
  const [source, target] = [locked.get(sourceId), locked.get(targetId)]
  if (!source) throw new ApiError('CONTACT_NOT_FOUND')
  if (!target) throw refuse('into_contact_id', 'not_found')
  return [source, target]
}

/** Checked before chats move, because their foreign key would be the first to fail. */
export async function requireTarget(sql: Sql, projectId: string, id: string): Promise<void> {
  if (!isId(id) || !(await findContact(sql, projectId, id, true)))
    throw refuse('into_contact_id', 'not_found')
}

interface MergeOptions {
  winners?: MergeWinners | undefined
  /** Who merges. Such a merge can be undone; merges that Deskbell makes automatically cannot. */
  caller?: Caller
}

/** Moves everything from a contact to another one. The old id then resolves to the other contact. */
export function mergeContacts(
  store: DbOrTx,
  projectId: string,
  reference: string,
  into: string,
  by: ChangedBy,
  { winners = {}, caller }: MergeOptions = {},
): Promise<Contact> {
  return changeAndGetContact(store, projectId, async tx => {
    const { id: sourceId } = await getContact(tx, projectId, reference)
    await requireTarget(tx, projectId, into)
    if (sourceId === into) throw refuse('into_contact_id', 'same')
    const chatIds = await updateTelegramChatsContact(tx, sourceId, into)
    const [source, target] = await lockContactPair(tx, sourceId, into)
    const fields = changesOf(unionOf(source, target, winners), printBlock(target))
    const moved = await moveIdentities(tx, source, target, fields)
    const mergedBefore = await updateMergedContacts(tx, source.id, target.id)
    if (caller)
      await insertContactMerge(tx, source.id, target.id, {
        ...{
          changes: describeChanges(target, fields),
          ...moved,
          chat_ids: chatIds,
          merged_before: mergedBefore,
        },
        merged_by: by,
      })
    await giveTickets(tx, by, source.id, target.id)
    await updateTicketMoves(tx, source.id, target.id)
    // For tickets beyond the first batch, and for those that others create for this contact in the meantime.
    tx.noteDue('merges')
    await insertMergedNotice(tx, projectId, source.id, target.id)
    await updateContact(tx, target.id, fields)
    await updateContact(tx, source.id, { merged_into_id: target.id })
    if (caller)
      await recordContactAudit(tx, caller, 'contact.merged', source.id, { into_contact_id: target.id })
    return target.id
  })
}

/** Moves the identities. Returns those of the source, and those of the target that are no longer primary, as they were before. */
async function moveIdentities(tx: Tx, source: LockedContact, target: LockedContact, fields: ContactFields) {
  const identities = await listIdentities(tx, tx.projectId, source.id)
  const demoted: Identity[] = []
  for (const [type, field] of matchOrder) {
    const isTaken = fields[field] !== undefined && identities.some(one => one.type === type && one.is_primary)
    if (isTaken) demoted.push(...(await updateNoPrimary(tx, tx.projectId, target.id, type)))
  }
  await updateIdentitiesContact(tx, tx.projectId, source.id, target.id)
  const kept = identities.map(({ type, value, is_primary }) => ({ type, value, is_primary }))
  return { identities: kept, demoted }
}

/** Moves the remaining tickets of merged contacts, and those that go back because a merge was undone. Returns how many were moved. */
export async function moveRemainingTickets(db: Db, projectId: string): Promise<number> {
  const queued = await transact(db, projectId, moveDueTickets)
  if (queued) return queued
  const merged = await findContactWithUnmovedTickets(db, projectId)
  if (!merged) return 0
  return transact(db, projectId, async tx => {
    await updateTelegramChatsContact(tx, merged.id, merged.merged_into_id)
    // The merge may have been undone in the meantime.
    if (!(await lockMergedContact(tx, projectId, merged.id, merged.merged_into_id))) return 0
    return giveTickets(tx, changedBySystem, merged.id, merged.merged_into_id)
  })
}

async function giveTickets(tx: Tx, by: ChangedBy, from: string, to: string): Promise<number> {
  const ids = await updateTicketsContact(tx, from, to, ticketBatchSize)
  await insertMergeTickets(tx, from, ids)
  emitMoved(tx, ids, { cause: 'contact_merged', by, from, to })
  return ids.length
}
