import type { Caller } from '../core/endpoint.ts'
import { mergeFields, pick } from '../core/fields.ts'
import { newId } from '../core/ids.ts'
import { propertyOf } from '../core/objects.ts'
import { checkFields } from '../custom-fields/custom-fields.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import { ensureTags } from '../tags/tags.ts'
import { detailsOf, newContactDetails } from './details.ts'
import { getContact } from './find.ts'
import {
  type Identifier,
  identifierColumns,
  identitiesOf,
  matchOrder,
  requireIdentifier,
} from './identities.ts'
import {
  type Identity,
  type IdentityType,
  insertIdentities,
  lockIdentities,
  updateIdentitiesContact,
} from './identity-queries.ts'
import { chooseOrganization, joinByIdentities } from './organization.ts'
import { type ContactFields, insertContact, lockContact, updateContact } from './queries.ts'
import type { NewContact, NewContactOfPerson } from './schema.ts'

export interface Upserted {
  id: string
  isNew: boolean
  isBlocked: boolean
  /** Identifiers that belong to another contact and stayed there. */
  conflicts: Identifier[]
}

/** The owner of each identity. If all are known, they are only locked. If one is new, all are claimed in the usual order. */
async function ownersOf(
  tx: Tx,
  newContactId: string,
  identities: Identity[],
): Promise<Map<IdentityType, string>> {
  const locked = await lockIdentities(tx, tx.projectId, identities)
  const rows =
    locked.length === identities.length
      ? locked
      : await insertIdentities(tx, tx.projectId, newContactId, identities)
  return new Map(rows.map(row => [row.type, row.contact_id]))
}

/** Finds the contact with these identifiers, or creates it. At least one identifier or identity is required. */
export async function upsertContact(
  tx: Tx,
  sent: NewContact,
  source: string,
  others: Identity[] = [],
): Promise<Upserted> {
  const input = { ...sent }
  const identities = [...(await identitiesOf(tx, tx.projectId, input)), ...others]
  const made = newId()
  const owners = await ownersOf(tx, made, identities)
  const ordered = matchOrder.filter(([type]) => owners.has(type))
  const known = [...ordered.map(([type]) => type), ...others.map(({ type }) => type)]
  const id = known.map(type => owners.get(type)!).find(owner => owner !== made) ?? made
  const conflicts = ordered
    .filter(([type]) => ![id, made].includes(owners.get(type)!))
    .map(([, field]) => field)
  const own = identities.filter(({ type }) => [id, made].includes(owners.get(type)!))
  if (sent.tags) input.tags = await ensureTags(tx, tx.projectId, sent.tags)
  const gains = own.some(({ type }) => owners.get(type) === made)
  if (id === made) await insertNewContact(tx, id, input, own, source)
  else if (gains) await updateIdentitiesContact(tx, tx.projectId, made, id)
  const isBlocked = id !== made && (await refreshContact(tx, id, input, own, gains))
  return { id, isNew: id === made, isBlocked, conflicts }
}

export async function insertNewContact(
  tx: Tx,
  id: string,
  input: NewContactOfPerson,
  own: Identity[],
  source: string,
): Promise<void> {
  await insertContact(tx, id, {
    ...identifierColumns(own),
    ...detailsOf(input, [...newContactDetails, 'note']),
    ...pick(input, ['tags']),
    custom_fields: mergeFields({}, input.custom_fields ?? {}),
    ...(await joinByIdentities(tx, own)),
    ...(await chooseOrganization(tx, tx.projectId, input.organization_id)),
    source,
  })
}

/** Overwrites the fields that were sent and adds missing identifiers. Writes nothing if nothing differs. */
async function refreshContact(
  tx: Tx,
  id: string,
  input: NewContact,
  own: Identity[],
  gains: boolean,
): Promise<boolean> {
  const old = (await lockContact(tx, tx.projectId, id))!
  const identifiers = identifierColumns(own)
  const sent: ContactFields = {
    ...pick(
      identifiers,
      matchOrder.map(([, field]) => field).filter(field => old[field] === null),
    ),
    ...detailsOf(input, newContactDetails),
    ...pick(input, ['tags']),
    ...(input.custom_fields && { custom_fields: mergeFields(old.custom_fields, input.custom_fields) }),
    ...(gains && (await joinByIdentities(tx, own, old))),
    ...(await chooseOrganization(tx, tx.projectId, input.organization_id)),
  }
  const changed = Object.entries(sent).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(propertyOf(old, field)),
  )
  if (changed.length || gains) {
    await updateContact(tx, id, Object.fromEntries(changed))
  }
  return old.blocked_at !== null
}

/** The API's create operation, which always returns a contact, new or not. */
export function putContact(store: DbOrTx, caller: Caller, input: NewContact) {
  const projectId = caller.project.id
  requireIdentifier(input)
  const change = async (tx: Tx) => {
    await checkFields(tx, caller, 'contact', input.custom_fields)
    return upsertContact(tx, input, 'api')
  }
  return transactAndRead(store, projectId, change, async (tx, { id, isNew, conflicts }) => ({
    ...(await getContact(tx, projectId, id)),
    created: isNew,
    conflicts,
  }))
}
