import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../core/endpoint.ts'
import { ApiError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type ChangedBy, changedBy } from '../events/ticket-history.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import { findOrganizationBrief } from '../organizations/organizations.ts'
import { recordContactAudit } from './contact-audit.ts'
import { getContact } from './find.ts'
import { matchOrder } from './identities.ts'
import { replacePrimaries } from './identity-primary.ts'
import {
  type IdentityType,
  listIdentities,
  lockContactIdentities,
  updateIdentityContact,
  updateIdentityPrimary,
} from './identity-queries.ts'
import { type MergedFieldChanges, printBlock } from './merge-choice.ts'
import {
  deleteContactMerge,
  findContactMerge,
  insertTicketsBack,
  listContactsInDeletion,
  listTicketsGoneSince,
  lockMergedContact,
  type MergeRow,
  updateMergedBack,
  updateTelegramChatsBack,
} from './merge-queries.ts'
import type { KeptPart } from './merge-schema.ts'
import { type ContactFields, type LockedContact, lockContact, updateContact } from './queries.ts'
import { moveDueTickets } from './ticket-moves.ts'

/** Undoing a merge of contacts: everything goes back, except what others have changed since. */

const final = (reason: string): ApiError => new ApiError('CONTACT_MERGE_FINAL', { reason })

/** The merge by which this contact was merged. Throws an error if it cannot be undone. */
async function getMerge(tx: Tx, reference: string): Promise<MergeRow> {
  const source = await getContact(tx, tx.projectId, reference, isId(reference))
  if (source.merged_into_id === null) throw final('not_merged')
  const merge = await findContactMerge(tx, tx.projectId, source.id)
  if (!merge?.is_recent) throw final('too_old')
  return merge
}

/** Locks chats, identities and both contacts, in the usual order, and returns the contact that the other was merged into. */
async function lockMerge(tx: Tx, merge: MergeRow): Promise<LockedContact> {
  const { source_id, target_id } = merge
  await updateTelegramChatsBack(tx, merge)
  await lockContactIdentities(tx, tx.projectId, [target_id])
  let [isMerged, target]: [boolean, LockedContact | null] = [false, null]
  for (const id of [source_id, target_id].sort())
    if (id === source_id) isMerged = await lockMergedContact(tx, tx.projectId, source_id, target_id)
    else target = await lockContact(tx, tx.projectId, target_id)
  if (!target) throw final('merged')
  // Somebody else may have undone it while this waited for the lock.
  if (!isMerged) throw final('not_merged')
  // The merged contact is deleted too.
  if ((await listContactsInDeletion(tx, tx.projectId, [target_id])).length)
    throw new ApiError('CONTACT_NOT_FOUND')
  return target
}

async function returnIdentities(tx: Tx, merge: MergeRow): Promise<KeptPart[]> {
  const kept: KeptPart[] = []
  for (const identity of merge.identities) {
    const isBack = await updateIdentityContact(tx, tx.projectId, merge.target_id, merge.source_id, identity)
    if (!isBack) kept.push({ kind: 'identity', name: `${identity.type}:${identity.value}` })
  }
  const stillThere = await listIdentities(tx, tx.projectId, merge.target_id)
  for (const { type, value } of merge.demoted)
    if (
      stillThere.some(one => one.type === type && one.value === value) &&
      !stillThere.some(one => one.type === type && one.is_primary)
    )
      await updateIdentityPrimary(tx, tx.projectId, { type, value })
  return kept
}

const customField = 'custom_fields.'

/** The tags without those that the merge has added. */
const withoutAdded = (tags: string[], [before, after]: [unknown, unknown]): string[] => {
  const had = new Set(Array.isArray(before) ? before : [])
  const added = new Set((Array.isArray(after) ? after : []).filter(tag => !had.has(tag)))
  return tags.filter(tag => !added.has(tag))
}

/** The fields that the target had before. Those that no longer have the value that the merge wrote stay, and are listed. */
function fieldsBefore(
  target: LockedContact,
  changes: MergedFieldChanges,
): { fields: ContactFields; kept: KeptPart[] } {
  const now: Record<string, unknown> = { ...printBlock(target) }
  const custom = { ...target.custom_fields }
  const fields: Record<string, unknown> = {}
  const kept: KeptPart[] = []
  for (const [field, [before, after]] of Object.entries(changes)) {
    const key = field.startsWith(customField) ? field.slice(customField.length) : null
    const value = key === null ? now[field] : (custom[key] ?? null)
    if (field === 'tags') fields.tags = withoutAdded(target.tags, [before, after])
    else if (!isDeepStrictEqual(value, after)) kept.push({ kind: 'field', name: nameOf(field) })
    else if (key === null) fields[field] = before
    else if (before === null) delete custom[key]
    else custom[key] = before
  }
  return { fields: { ...fields, custom_fields: custom }, kept }
}

const nameOf = (field: string): string => (field === 'blocked_at' ? 'is_blocked' : field)

/** The types whose main identity in the target was one of those that went back. */
const listLost = (target: LockedContact, merge: MergeRow): IdentityType[] =>
  matchOrder
    .filter(([type, field]) =>
      merge.identities.some(one => one.type === type && one.value === String(target[field])),
    )
    .map(([type]) => type)

/** A contact does not go back to an organization that was deleted since, as if the contact had stayed a member until then. */
async function withoutDeletedOrganization(tx: Tx, fields: ContactFields): Promise<ContactFields> {
  const id = fields.organization_id
  return id && !(await findOrganizationBrief(tx, tx.projectId, id))
    ? { ...fields, organization_id: null }
    : fields
}

async function undo(tx: Tx, by: ChangedBy, merge: MergeRow): Promise<KeptPart[]> {
  const target = await lockMerge(tx, merge)
  const identities = await returnIdentities(tx, merge)
  const { fields: before, kept } = fieldsBefore(target, merge.changes)
  const fields = await withoutDeletedOrganization(tx, before)
  const restored = { ...target, ...fields }
  const primaries = await replacePrimaries(tx, restored, listLost(restored, merge))
  const gone = await listTicketsGoneSince(tx, merge)
  await insertTicketsBack(tx, by, merge)
  await deleteContactMerge(tx, merge.source_id)
  await updateContact(tx, merge.source_id, { merged_into_id: null })
  await updateContact(tx, merge.target_id, { ...fields, ...primaries })
  await updateMergedBack(tx, merge)
  return [...kept, ...identities, ...gone.map(({ number }) => ({ kind: 'ticket' as const, name: number }))]
}

/** Separates a merged contact again. Its tickets follow in batches. */
export function undoContactMerge(store: DbOrTx, caller: Caller, reference: string) {
  const projectId = caller.project.id
  const change = async (tx: Tx) => {
    const merge = await getMerge(tx, reference)
    const kept = await undo(tx, changedBy(caller), merge)
    await moveDueTickets(tx)
    tx.noteDue('merges')
    await recordContactAudit(tx, caller, 'contact.unmerged', merge.source_id, {
      from_contact_id: merge.target_id,
    })
    return { merge, kept }
  }
  return transactAndRead(store, projectId, change, async (tx, { merge, kept }) => ({
    contact: await getContact(tx, projectId, merge.source_id),
    into: await getContact(tx, projectId, merge.target_id),
    kept,
  }))
}
