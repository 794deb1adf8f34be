import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse, requireVersion } from '../core/errors.ts'
import { changesOf, mergeFields } from '../core/fields.ts'
import { now, toDatabase } from '../core/time.ts'
import { checkFields } from '../custom-fields/custom-fields.ts'
import type { DbOrTx, Tx } from '../events/transaction.ts'
import { ensureTags } from '../tags/tags.ts'
import { detailsOf, newContactDetails } from './details.ts'
import { changeAndGetContact, getContact } from './find.ts'
import {
  type Identifier,
  type Identifiers,
  identifierColumns,
  identityValue,
  matchOrder,
} from './identities.ts'
import {
  deletePrimaryIdentity,
  type Identity,
  insertIdentities,
  lockContactIdentities,
  updateIdentityPrimary,
} from './identity-queries.ts'
import { chooseOrganization, joinByIdentities } from './organization.ts'
import { type ContactFields, type LockedContact, lockContact, updateContact } from './queries.ts'
import type { Contact, ContactChange } from './schema.ts'

const changeableDetails = [
  ...newContactDetails,
  'telegram_username',
  'avatar_url',
  'timezone',
  'note',
] as const

/** Gives an identity to the contact. An identity of another contact is refused. */
async function takeIdentity(tx: Tx, id: string, identity: Identity, field: Identifier): Promise<void> {
  const [claimed] = await insertIdentities(tx, tx.projectId, id, [identity])
  if (claimed!.contact_id !== id) throw refuse(field, 'identifier_taken', { contact_id: claimed!.contact_id })
  await updateIdentityPrimary(tx, tx.projectId, identity)
}

async function changeIdentities(
  tx: Tx,
  id: string,
  change: ContactChange,
  old: Identifiers,
): Promise<ContactFields> {
  const columns: ContactFields = {}
  for (const [type, field] of matchOrder) {
    const sent = change[field]
    if (sent === undefined) continue
    const value = sent === null ? null : await identityValue(tx, tx.projectId, type, sent)
    if (value === (old[field] === null ? null : String(old[field]))) continue
    await deletePrimaryIdentity(tx, tx.projectId, id, type)
    if (value !== null) await takeIdentity(tx, id, { type, value }, field)
    Object.assign(columns, value === null ? { [field]: null } : identifierColumns([{ type, value }]))
  }
  return columns
}

/** More merges than can happen during one request. */
const maxMerges = 5

/** Locks the contact in a path with its identities, or the contact into which it was merged while this waited for the lock. */
export async function lockNamedContact(tx: Tx, reference: string): Promise<LockedContact> {
  for (let tries = 0; tries < maxMerges; tries++) {
    const { id } = await getContact(tx, tx.projectId, reference)
    await lockContactIdentities(tx, tx.projectId, [id])
    const locked = await lockContact(tx, tx.projectId, id)
    if (locked) return locked
  }
  throw new ApiError('CONTACT_NOT_FOUND')
}

export function changeContact(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  change: ContactChange,
  version: number | null,
): Promise<Contact> {
  const projectId = caller.project.id
  return changeAndGetContact(store, projectId, async tx => {
    const old = await lockNamedContact(tx, reference)
    const { id } = old
    requireVersion(version, old)
    await checkFields(tx, caller, 'contact', change.custom_fields)
    const identifiers = await changeIdentities(tx, id, change, old)
    const fields: ContactFields = {
      ...identifiers,
      ...(identifiers.email &&
        (await joinByIdentities(tx, [{ type: 'email', value: identifiers.email }], old))),
      ...(await chooseOrganization(tx, projectId, change.organization_id)),
      ...detailsOf(change, changeableDetails),
      ...(change.tags && { tags: await ensureTags(tx, projectId, change.tags) }),
      ...(change.custom_fields && { custom_fields: mergeFields(old.custom_fields, change.custom_fields) }),
      ...(change.is_blocked !== undefined && { blocked_at: blockedAt(change.is_blocked, old.blocked_at) }),
    }
    const changes = changesOf(fields, { ...old, blocked_at: old.blocked_at && toDatabase(old.blocked_at) })
    if (Object.keys(changes).length) await updateContact(tx, id, changes)
    return id
  })
}

const blockedAt = (isBlocked: boolean, since: string | null): string | null =>
  isBlocked ? toDatabase(since ?? now()) : null
