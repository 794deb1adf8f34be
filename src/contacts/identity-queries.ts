import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import type { ChangedBy } from '../events/ticket-history.ts'
import type { VerifiedHow } from './identity-schema.ts'

/** Statements about the identities of contacts. */

/** `channel`: a person in a custom channel; the value is `<channel id>:<external id>`. */
export type IdentityType = 'external' | 'telegram' | 'email' | 'channel'

export interface Identity {
  type: IdentityType
  value: string
}

export interface IdentityRow extends Identity {
  contact_id: string
}

export interface Verification {
  /** `code`, `email`, `telegram`, `widget`, or `person`. */
  how: VerifiedHow
  /** Who verified it, if it was a person or a program. */
  by?: ChangedBy | null
  reason?: string | null
}

export interface IdentityRecord extends Identity {
  is_primary: boolean
  is_verified: boolean
  is_undeliverable: boolean
  created_at: string
  verified_at: string | null
  verified_how: VerifiedHow | null
  verified_by: ChangedBy | null
  verified_reason: string | null
  code_sent_at: string | null
}

/** Primary ones first, then the oldest. */
export const listIdentities = (sql: Sql, projectId: string, contactId: string) => sql<IdentityRecord[]>`
  select i.type, i.value, i.is_primary, i.is_verified, i.is_undeliverable, i.created_at, i.verified_at, i.verified_how,
    i.verified_by, i.verified_reason, c.sent_at as code_sent_at
  from contact_identities i
  left join identity_codes c on c.project_id = ${projectId} and c.type = i.type and c.value = i.value
  where i.project_id = ${projectId} and i.contact_id = ${contactId}
  order by array_position(${['email', 'telegram', 'channel', 'external']}::text[], i.type), i.is_primary desc, i.created_at, i.value`

/** In sub-selects, so that plans are kept (see `anyId`). */
const wanted = (sql: Sql, identities: Identity[]): Fragment =>
  sql`unnest((select ${identities.map(i => i.type)}::text[]),
      (select ${identities.map(i => i.value)}::text[])) as w (type, value)`

/** The first of these spellings that belongs to a contact. */
export async function findAddress(
  sql: Sql,
  projectId: string,
  spellings: string[],
): Promise<string | undefined> {
  const [row] = await sql<{ value: string }[]>`
    select value from contact_identities
    where project_id = ${projectId} and type = 'email' and value = any(${spellings}::text[])
    order by array_position(${spellings}::text[], value) limit 1`
  return row?.value
}

// To avoid deadlocks, identities are always locked by type and value, and contacts after them.

/** Locks all of them, or none if one is new, because a new one would be claimed after the locked ones, out of order. */
export const lockIdentities = (sql: Sql, projectId: string, identities: Identity[]) => sql<IdentityRow[]>`
  select i.type, i.value, i.contact_id from contact_identities i
  join ${wanted(sql, identities)} on w.type = i.type and w.value = i.value
  where i.project_id = ${projectId} and ${identities.length}::int = (
    select count(*) from contact_identities k join ${wanted(sql, identities)} using (type, value)
    where k.project_id = ${projectId})
  order by i.type, i.value for no key update of i`

export const lockContactIdentities = (sql: Sql, projectId: string, contactIds: string[]) => sql`
  select from contact_identities where project_id = ${projectId} and contact_id = ${anyId(sql, contactIds)}
  order by type, value for no key update`

/** Takes each identity for the contact, or returns its owner. Of two concurrent writers, the second one waits here. */
export const insertIdentities = (
  sql: Sql,
  projectId: string,
  contactId: string,
  identities: Identity[],
  isPrimary = true,
) =>
  sql<IdentityRow[]>`
    insert into contact_identities (project_id, type, value, contact_id, is_primary)
    select ${projectId}, type, value, ${contactId}, ${isPrimary}::boolean from ${wanted(sql, identities)} order by type, value
    on conflict (project_id, type, value) do update set value = excluded.value
    returning type, value, contact_id`

export const deleteIdentity = (
  sql: Sql,
  projectId: string,
  contactId: string,
  { type, value }: Identity,
) => sql`
  delete from contact_identities
  where project_id = ${projectId} and type = ${type} and value = ${value} and contact_id = ${contactId}`

/** Returns how many were not verified before. */
export async function updateIdentitiesVerified(
  sql: Sql,
  projectId: string,
  contactId: string,
  identities: Identity[],
  { how, by = null, reason = null }: Verification,
): Promise<number> {
  const { count } = await sql`
    update contact_identities i set is_verified = true, verified_at = now(), verified_how = ${how},
      verified_by = ${by && JSON.stringify(by)}::text::jsonb, verified_reason = ${reason}
    from ${wanted(sql, identities)}
    where i.project_id = ${projectId} and i.contact_id = ${contactId} and i.type = w.type and i.value = w.value
      and not i.is_verified`
  return count
}

export const updateIdentityUnverified = (sql: Sql, projectId: string, { type, value }: Identity) => sql`
  update contact_identities set is_verified = false, verified_at = null, verified_how = null, verified_by = null,
    verified_reason = null
  where project_id = ${projectId} and type = ${type} and value = ${value}`

/** Returns the contacts whose addresses were changed, in locking order. */
export async function updateUndeliverable(
  sql: Sql,
  projectId: string,
  values: string[],
  isUndeliverable: boolean,
): Promise<string[]> {
  const rows = await sql<{ contact_id: string }[]>`
    with locked as (
      select type, value from contact_identities
      where project_id = ${projectId} and type = 'email' and value = any(${values}::text[])
        and is_undeliverable <> ${isUndeliverable}
      order by type, value for no key update
    )
    update contact_identities i set is_undeliverable = ${isUndeliverable} from locked l
    where i.project_id = ${projectId} and i.type = l.type and i.value = l.value
    returning i.contact_id`
  return [...new Set(rows.map(({ contact_id }) => contact_id))].sort()
}

/** Moves identities to another contact. They become primary if that contact had none of their type. */
export const updateIdentitiesContact = (sql: Sql, projectId: string, from: string, to: string) => sql`
  update contact_identities i set contact_id = ${to}, is_primary = i.is_primary and not exists (
    select from contact_identities o
    where o.project_id = ${projectId} and o.contact_id = ${to} and o.type = i.type and o.is_primary)
  where i.project_id = ${projectId} and i.contact_id = ${from}`

export const deletePrimaryIdentity = (
  sql: Sql,
  projectId: string,
  contactId: string,
  type: IdentityType,
) => sql`
  delete from contact_identities
  where project_id = ${projectId} and contact_id = ${contactId} and type = ${type} and is_primary`

export const updateIdentityPrimary = (sql: Sql, projectId: string, { type, value }: Identity) => sql`
  update contact_identities set is_primary = true
  where project_id = ${projectId} and type = ${type} and value = ${value}`

/** Returns the identities that were primary. */
export const updateNoPrimary = (sql: Sql, projectId: string, contactId: string, type: IdentityType) => sql<
  Identity[]
>`
  update contact_identities set is_primary = false
  where project_id = ${projectId} and contact_id = ${contactId} and type = ${type} and is_primary
  returning type, value`

/** Gives an identity to another contact. Returns false if it does not belong to the first one any more. */
export async function updateIdentityContact(
  sql: Sql,
  projectId: string,
  from: string,
  to: string,
  { type, value, is_primary }: Identity & { is_primary: boolean },
): Promise<boolean> {
  const { count } = await sql`
    update contact_identities set contact_id = ${to}, is_primary = ${is_primary}
    where project_id = ${projectId} and type = ${type} and value = ${value} and contact_id = ${from}`
  return count > 0
}
