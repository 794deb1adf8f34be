import { ApiError, BriefError, refuse } from '../core/errors.ts'
import { mergeFields, pick } from '../core/fields.ts'
import { newId } from '../core/ids.ts'
import { now, toDatabase } from '../core/time.ts'
import { type Store, type Tx, transact } from '../events/transaction.ts'
import { getContact } from './find.ts'
import {
  type ContactFields,
  claimIdentities,
  deletePrimaryIdentity,
  type Identity,
  type IdentityType,
  insertContact,
  lockContact,
  lockIdentities,
  moveIdentities,
  updateContact,
  updateIdentityPrimary,
} from './queries.ts'
import type { Contact, ContactChange, NewContact } from './schema.ts'

export { getContact, searchContacts, toContact } from './find.ts'
export { mergeContacts } from './merge.ts'

/** The first that names a contact decides which one it is. */
const matchOrder = [
  ['external', 'external_id'],
  ['telegram', 'telegram_id'],
  ['email', 'email'],
] as const

type Identifier = (typeof matchOrder)[number][1]
type Identifiers = Pick<ContactChange, Identifier>

const identityValue = (type: IdentityType, value: string | number): string =>
  type === 'telegram' ? String(Number(value)) : type === 'email' ? String(value).toLowerCase() : String(value)

function identitiesOf(input: Identifiers): Identity[] {
  return matchOrder.flatMap(([type, field]) => {
    const value = input[field]
    return value === undefined || value === null ? [] : [{ type, value: identityValue(type, value) }]
  })
}

/** The columns that show a contact's own identifiers. */
function identifierColumns(identities: Identity[]): ContactFields {
  const columns: ContactFields = {}
  for (const { type, value } of identities) {
    if (type === 'external') columns.external_id = value
    else if (type === 'telegram') columns.telegram_id = Number(value)
    else columns.email = value
  }
  return columns
}

const plainFields = [
  'full_name',
  'phone',
  'language',
  'tags',
  'telegram_username',
  'avatar_url',
  'timezone',
  'note',
] as const

export interface Upserted {
  id: string
  isNew: boolean
  isBlocked: boolean
  /** Identifiers that belong to another contact and stayed there. */
  conflicts: Identifier[]
}

async function ownersOf(
  tx: Tx,
  newContactId: string,
  identities: Identity[],
): Promise<Map<IdentityType, string>> {
  const locked = await lockIdentities(tx, tx.projectId, identities)
  const rows =
    locked.length === identities.length
      ? locked
      : await claimIdentities(tx, tx.projectId, newContactId, identities)
  return new Map(rows.map(row => [row.type, row.contact_id]))
}

/** Finds the contact that these identifiers name, or makes it. Needs at least one identifier. */
export async function upsertContact(tx: Tx, input: NewContact, source: string): Promise<Upserted> {
  const identities = identitiesOf(input)
  const made = newId()
  const owners = await ownersOf(tx, made, identities)
  const ordered = matchOrder.filter(([type]) => owners.has(type))
  const id = ordered.map(([type]) => owners.get(type)!).find(owner => owner !== made) ?? made
  const conflicts = ordered
    .filter(([type]) => ![id, made].includes(owners.get(type)!))
    .map(([, field]) => field)
  const own = identities.filter(({ type }) => [id, made].includes(owners.get(type)!))
  if (id === made) await createContact(tx, id, input, own, source)
  else await moveIdentities(tx, tx.projectId, made, id)
  const isBlocked = id !== made && (await refreshContact(tx, id, input, own))
  return { id, isNew: id === made, isBlocked, conflicts }
}

const createContact = (tx: Tx, id: string, input: NewContact, own: Identity[], source: string) => {
  const at = toDatabase(now())
  return insertContact(tx, tx.projectId, id, {
    ...identifierColumns(own),
    ...pick(input, ['full_name', 'phone', 'language', 'tags']),
    custom_fields: mergeFields({}, input.custom_fields ?? {}),
    source,
    created_at: at,
    updated_at: at,
  })
}

/** What was sent overwrites, identifiers that were missing are added; nothing is written when nothing differs. */
async function refreshContact(tx: Tx, id: string, input: NewContact, own: Identity[]): Promise<boolean> {
  const old = (await lockContact(tx, tx.projectId, id))!
  const identifiers = identifierColumns(own)
  const sent: ContactFields = {
    ...pick(
      identifiers,
      matchOrder.map(([, field]) => field).filter(field => old[field] === null),
    ),
    ...pick(input, ['full_name', 'phone', 'language', 'tags']),
    ...(input.custom_fields && { custom_fields: mergeFields(old.custom_fields, input.custom_fields) }),
  }
  const changed = Object.entries(sent).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(old[field as keyof ContactFields]),
  )
  if (changed.length) {
    await updateContact(tx, tx.projectId, id, {
      ...Object.fromEntries(changed),
      updated_at: toDatabase(now()),
    })
  }
  return old.blocked_at !== null
}

export function requireIdentifier(input: Identifiers): void {
  const isGiven = (value: unknown) => value !== undefined && value !== null
  if (!isGiven(input.telegram_id) && !isGiven(input.email)) throw new BriefError('contact_unidentified')
}

/** The API's create: always answers a contact, new or not. */
export function putContact(store: Store, projectId: string, input: NewContact) {
  requireIdentifier(input)
  return transact(store, projectId, async tx => {
    const { id, isNew, conflicts } = await upsertContact(tx, input, 'api')
    return { ...(await getContact(tx, projectId, id)), created: isNew, conflicts }
  })
}

/** Makes an identity the contact's own; one that belongs to somebody else is refused. */
async function takeIdentity(tx: Tx, id: string, identity: Identity, field: Identifier): Promise<void> {
  const [claimed] = await claimIdentities(tx, tx.projectId, id, [identity])
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
    const value = sent === null ? null : identityValue(type, sent)
    if (value === (old[field] === null ? null : String(old[field]))) continue
    await deletePrimaryIdentity(tx, tx.projectId, id, type)
    if (value !== null) await takeIdentity(tx, id, { type, value }, field)
    Object.assign(columns, value === null ? { [field]: null } : identifierColumns([{ type, value }]))
  }
  return columns
}

export function changeContact(
  store: Store,
  projectId: string,
  reference: string,
  change: ContactChange,
  version: number | null,
): Promise<Contact> {
  return transact(store, projectId, async tx => {
    const { id } = await getContact(tx, projectId, reference)
    const old = await lockContact(tx, projectId, id)
    if (!old) throw new ApiError('CONTACT_NOT_FOUND')
    if (version !== null && version !== old.version) throw new BriefError('stale')
    const fields: ContactFields = {
      ...(await changeIdentities(tx, id, change, old)),
      ...pick(change, plainFields),
      ...(change.custom_fields && { custom_fields: mergeFields(old.custom_fields, change.custom_fields) }),
      ...(change.is_blocked !== undefined && { blocked_at: blockedAt(change.is_blocked, old.blocked_at) }),
    }
    await updateContact(tx, projectId, id, { ...fields, updated_at: toDatabase(now()) })
    return getContact(tx, projectId, id)
  })
}

const blockedAt = (isBlocked: boolean, since: string | null): string | null =>
  isBlocked ? toDatabase(since ?? now()) : null
