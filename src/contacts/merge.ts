import type { Db } from '../core/db/db.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { toDatabase } from '../core/time.ts'
import { type DbOrTx, type Tx, transact } from '../events/transaction.ts'
import { listTags } from '../tags/tags.ts'
import { changeAndGetContact, getContact } from './find.ts'
import { lockContactIdentities, updateIdentitiesContact } from './identity-queries.ts'
import {
  type ContactFields,
  findContactWithUnmovedTickets,
  insertMergedNotice,
  lockContact,
  updateContact,
  updateMergedContacts,
  updateTicketsContact,
} from './queries.ts'
import type { Contact } from './schema.ts'

type Locked = NonNullable<Awaited<ReturnType<typeof lockContact>>>

const mergedFields = [
  'external_id',
  'telegram_id',
  'email',
  'full_name',
  'phone',
  'telegram_username',
  'avatar_url',
  'language',
  'timezone',
  'note',
] as const

/** The target keeps its fields and gets those that it lacks. If either contact is blocked, the result is blocked. */
function union(source: Locked, target: Locked): ContactFields {
  const fields: ContactFields = {}
  for (const field of mergedFields)
    if (target[field] === null) Object.assign(fields, { [field]: source[field] })
  return {
    ...fields,
    tags: listTags([...target.tags, ...source.tags]),
    custom_fields: { ...source.custom_fields, ...target.custom_fields },
    blocked_at: blockOf(source, target),
  }
}

const blockOf = (source: Locked, target: Locked): string | null => {
  const since = target.blocked_at ?? source.blocked_at
  return since === null ? null : toDatabase(since)
}

/** Locks both contacts with their identities, in the usual order. */
async function lockBoth(tx: Tx, sourceId: string, targetId: string): Promise<[Locked, Locked]> {
  await lockContactIdentities(tx, tx.projectId, [sourceId, targetId])
  const locked = new Map<string, Locked | null>()
  for (const id of [sourceId, targetId].sort()) locked.set(id, await lockContact(tx, tx.projectId, id))
  const [source, target] = [locked.get(sourceId), locked.get(targetId)]
  if (!source) throw new ApiError('CONTACT_NOT_FOUND')
  if (!target) throw refuse('into_contact_id', 'not_found')
  return [source, target]
}

/** Moves everything from a contact to another one. The old id then resolves to the other contact. */
export function mergeContacts(
  store: DbOrTx,
  projectId: string,
  reference: string,
  into: string,
): Promise<Contact> {
  return changeAndGetContact(store, projectId, async tx => {
    const { id: sourceId } = await getContact(tx, projectId, reference)
    if (!isId(into)) throw refuse('into_contact_id', 'not_found')
    if (sourceId === into) throw refuse('into_contact_id', 'same')
    const [source, target] = await lockBoth(tx, sourceId, into)
    await updateIdentitiesContact(tx, projectId, source.id, target.id)
    await giveTickets(tx, source.id, target.id)
    // For tickets beyond the first batch, and for those that others create for this contact in the meantime.
    tx.noteDue('merges')
    await updateMergedContacts(tx, source.id, target.id)
    await insertMergedNotice(tx, projectId, source.id, target.id)
    await updateContact(tx, target.id, union(source, target))
    await updateContact(tx, source.id, { merged_into_id: target.id })
    return target.id
  })
}

/** Tickets per transaction, which limits how long other writers of the project wait. */
const mergeBatchSize = 500

async function giveTickets(tx: Tx, from: string, to: string): Promise<number> {
  const ids = await updateTicketsContact(tx, from, to, mergeBatchSize)
  tx.touch('ticket', ...ids)
  const common = { cause: 'contact_merged', contact_id: to, previous_contact_id: from }
  tx.emit(...ids.map(ticket_id => ({ type: 'ticket.updated' as const, data: { ticket_id, ...common } })))
  return ids.length
}

/** Moves the remaining tickets of merged contacts, and returns how many were moved. */
export async function moveRemainingTickets(db: Db, projectId: string): Promise<number> {
  const merged = await findContactWithUnmovedTickets(db, projectId)
  if (!merged) return 0
  return transact(db, projectId, tx => giveTickets(tx, merged.id, merged.merged_into_id))
}
