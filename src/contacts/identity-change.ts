import type { Sql } from '../core/db/db.ts'
import { isEmail } from '../core/email.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { visibleOrNull } from '../core/text/visible-text.ts'
import { changedBy } from '../events/ticket-history.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import { lockNamedContact } from './change.ts'
import { recordContactAudit } from './contact-audit.ts'
import { getContact } from './find.ts'
import { identityValue } from './identities.ts'
import { replacePrimaries } from './identity-primary.ts'
import {
  deleteIdentity,
  type Identity,
  type IdentityRecord,
  type IdentityType,
  insertIdentities,
  listIdentities,
  updateIdentitiesVerified,
  updateIdentityPrimary,
  updateIdentityUnverified,
  updateNoPrimary,
} from './identity-queries.ts'
import type { IdentityChange, IdentityInput } from './identity-schema.ts'
import { deleteVisitor, hasCustomChannel } from './identity-targets.ts'
import { joinByIdentities } from './organization.ts'
import { type ContactFields, type LockedContact, updateContact } from './queries.ts'

/** People and programs add, correct, verify and remove the identities of a contact. */

const types: IdentityType[] = ['email', 'telegram', 'external', 'channel']

/** The identity in a path, such as `email:ann@example.com`, if the contact has it. */
export async function getIdentity(
  sql: Sql,
  projectId: string,
  contactId: string,
  reference: string,
): Promise<IdentityRecord> {
  const type = types.find(name => reference.startsWith(`${name}:`))
  const sent = type && reference.slice(type.length + 1)
  if (!type || !sent || sent.includes('\0')) throw new ApiError('IDENTITY_NOT_FOUND')
  const value = type === 'telegram' ? sent : await identityValue(sql, projectId, type, sent)
  const found = (await listIdentities(sql, projectId, contactId)).find(
    one => one.type === type && one.value === value,
  )
  if (!found) throw new ApiError('IDENTITY_NOT_FOUND')
  return found
}

/** Checks the value of a new identity, and returns it as it is stored. */
async function readIdentity(tx: Tx, type: IdentityType, sent: string): Promise<Identity> {
  const value = sent.trim()
  const isPossible = {
    email: () => isEmail(value),
    telegram: () => /^[1-9]\d{0,15}$/.test(value) && Number.isSafeInteger(Number(value)),
    external: () => visibleOrNull(value) !== null && value.length <= 255 && !value.includes('\0'),
    channel: () => isId(value.split(':')[0]!) && value.length > 37 && !value.includes('\0'),
  }[type]()
  if (!isPossible) throw refuse('value', 'not_an_identity')
  if (type === 'channel' && !(await hasCustomChannel(tx, tx.projectId, value.split(':')[0]!)))
    throw refuse('value', 'not_found')
  return { type, value: await identityValue(tx, tx.projectId, type, value) }
}

/** Gives an identity to the contact. If several requests do this at the same time, only one succeeds. */
async function claimIdentity(tx: Tx, contactId: string, identity: Identity): Promise<void> {
  const isKnown = (await listIdentities(tx, tx.projectId, contactId)).some(
    one => one.type === identity.type && one.value === identity.value,
  )
  if (isKnown) return
  const [claimed] = await insertIdentities(tx, tx.projectId, contactId, [identity], false)
  if (claimed!.contact_id !== contactId)
    throw refuse('value', 'identifier_taken', { contact_id: claimed!.contact_id })
}

/** Makes it the main identity of its type, or not. */
async function choosePrimary(
  tx: Tx,
  contactId: string,
  identity: Identity,
  isPrimary: boolean,
): Promise<void> {
  await updateNoPrimary(tx, tx.projectId, contactId, identity.type)
  if (isPrimary) await updateIdentityPrimary(tx, tx.projectId, identity)
}

async function verifyByPerson(
  tx: Tx,
  caller: Caller,
  contactId: string,
  identity: Identity,
  reason?: string,
) {
  if (reason === undefined || visibleOrNull(reason) === null) throw refuse('reason', 'required')
  const by = changedBy(caller)
  const verification = { how: 'person' as const, by, reason: reason.trim() }
  const count = await updateIdentitiesVerified(tx, tx.projectId, contactId, [identity], verification)
  if (count) await recordContactAudit(tx, caller, 'identity.verified', contactId, { type: identity.type })
}

/** Writes the fields of the contact that show its main identities, and its version. */
export async function refreshIdentifiers(
  tx: Tx,
  contact: LockedContact,
  lost: IdentityType[] = [],
  others: ContactFields = {},
): Promise<void> {
  await updateContact(tx, contact.id, { ...(await replacePrimaries(tx, contact, lost)), ...others })
}

const readBack = (store: DbOrTx, projectId: string, change: (tx: Tx) => Promise<[string, Identity]>) =>
  transactAndRead(store, projectId, change, async (tx, [contactId, { type, value }]) =>
    getIdentity(tx, projectId, contactId, `${type}:${value}`),
  )

export const addIdentity = (store: DbOrTx, caller: Caller, reference: string, input: IdentityInput) =>
  readBack(store, caller.project.id, async tx => {
    const contact = await lockNamedContact(tx, reference)
    const identity = await readIdentity(tx, input.type, input.value)
    const others = await listIdentities(tx, tx.projectId, contact.id)
    await claimIdentity(tx, contact.id, identity)
    const isFirst = !others.some(one => one.type === identity.type && one.is_primary)
    if (input.is_primary ?? isFirst) await choosePrimary(tx, contact.id, identity, true)
    if (input.is_verified) await verifyByPerson(tx, caller, contact.id, identity, input.reason)
    await refreshIdentifiers(tx, contact, [], await joinByIdentities(tx, [identity], contact))
    await recordContactAudit(tx, caller, 'identity.added', contact.id, { type: identity.type })
    return [contact.id, identity]
  })

/** Replaces the value. What was known about the old value, such as that it is verified, does not hold for the new one. */
async function correct(tx: Tx, contactId: string, old: IdentityRecord, sent: string): Promise<Identity> {
  const identity = await readIdentity(tx, old.type, sent)
  if (identity.value === old.value) return old
  await claimIdentity(tx, contactId, identity)
  await deleteIdentity(tx, tx.projectId, contactId, old)
  if (old.is_primary) await choosePrimary(tx, contactId, identity, true)
  return identity
}

export const changeIdentity = (
  store: DbOrTx,
  caller: Caller,
  reference: string,
  name: string,
  change: IdentityChange,
) =>
  readBack(store, caller.project.id, async tx => {
    const contact = await lockNamedContact(tx, reference)
    const old = await getIdentity(tx, tx.projectId, contact.id, name)
    const identity = change.value === undefined ? old : await correct(tx, contact.id, old, change.value)
    if (change.is_primary !== undefined && change.is_primary !== old.is_primary)
      await choosePrimary(tx, contact.id, identity, change.is_primary)
    if (change.is_verified === false) await updateIdentityUnverified(tx, tx.projectId, identity)
    if (change.is_verified) await verifyByPerson(tx, caller, contact.id, identity, change.reason)
    await refreshIdentifiers(tx, contact, [], await joinByIdentities(tx, [identity], contact))
    await recordContactAudit(tx, caller, 'identity.changed', contact.id, {
      ...{ type: old.type, fields: Object.keys(change).filter(key => key !== 'reason') },
    })
    return [contact.id, identity]
  })

/** Removes an identity, or with `visitor:<id>`, signs a browser out of the website chat. */
export const removeIdentity = (store: DbOrTx, caller: Caller, reference: string, name: string) =>
  transactAndRead(
    store,
    caller.project.id,
    async tx => {
      if (name.startsWith('visitor:')) return removeVisitor(tx, caller, reference, name.slice(8))
      const contact = await lockNamedContact(tx, reference)
      const identity = await getIdentity(tx, tx.projectId, contact.id, name)
      await deleteIdentity(tx, tx.projectId, contact.id, identity)
      await refreshIdentifiers(tx, contact, identity.is_primary ? [identity.type] : [])
      await recordContactAudit(tx, caller, 'identity.removed', contact.id, { type: identity.type })
    },
    async () => null,
  )

async function removeVisitor(tx: Tx, caller: Caller, reference: string, id: string): Promise<void> {
  const contact = await getContact(tx, tx.projectId, reference)
  if (!isId(id) || !(await deleteVisitor(tx, contact.id, id))) throw new ApiError('IDENTITY_NOT_FOUND')
  await recordContactAudit(tx, caller, 'identity.removed', contact.id, { type: 'visitor' })
}
