import { anyId, type Sql } from '../core/db/db.ts'
import { indexVersion } from '../core/words/vector.ts'

/** Statements that write imported contacts, many at once. */

export const listStoredAddresses = async (sql: Sql, projectId: string, spellings: string[]) => {
  const rows = await sql<{ value: string }[]>`
    select value from contact_identities
    where project_id = ${projectId} and type = 'email' and value = any(${spellings}::text[])`
  return new Set(rows.map(({ value }) => value))
}

export interface ClaimedIdentity {
  type: 'external' | 'telegram' | 'email'
  value: string
  contact_id: string
}

export interface NewIdentity extends ClaimedIdentity {
  is_primary: boolean
  is_verified: boolean
  is_undeliverable: boolean
  created_at: string
}

/** Claims each identity for its contact, or returns its present owner. The rows are locked in the order of type and value, as everywhere. */
export const insertClaims = (sql: Sql, projectId: string, claims: NewIdentity[]) => sql<ClaimedIdentity[]>`
  insert into contact_identities (project_id, type, value, contact_id, is_primary, is_verified, is_undeliverable, created_at)
  select ${projectId}::uuid, c.type, c.value, c.contact_id, c.is_primary, c.is_verified, c.is_undeliverable, c.created_at
  from json_populate_recordset(null::contact_identities, ${JSON.stringify(claims)}::text::json) c
  order by c.type, c.value
  on conflict (project_id, type, value) do update set value = excluded.value
  returning type, value, contact_id`

/** Deletes the claims of contacts that are not created. */
export const deleteClaims = (sql: Sql, projectId: string, contactIds: string[]) => sql`
  delete from contact_identities where project_id = ${projectId} and contact_id = ${anyId(sql, contactIds)}`

export interface NewContactRow {
  id: string
  external_id: string | null
  full_name: string | null
  email: string | null
  phone: string | null
  telegram_id: number | null
  telegram_username: string | null
  avatar_url: string | null
  language: string | null
  timezone: string | null
  source: string
  tags: string[]
  custom_fields: Record<string, unknown>
  note: string | null
  organization_id: string | null
  is_organization_chosen: boolean
  blocked_at: string | null
  merged_into_id: string | null
  last_seen_at: string | null
  created_at: string
  updated_at: string
  search: string
}

export const insertImportedContacts = (sql: Sql, projectId: string, rows: NewContactRow[]) => sql`
  insert into contacts (project_id, id, external_id, full_name, email, phone, telegram_id, telegram_username, avatar_url,
    language, timezone, source, tags, custom_fields, note, organization_id, is_organization_chosen, blocked_at, merged_into_id, last_seen_at,
    created_at, updated_at, search, search_version)
  select ${projectId}::uuid, r.id, r.external_id, r.full_name, r.email, r.phone, r.telegram_id, r.telegram_username, r.avatar_url,
    r.language, r.timezone, r.source, r.tags, r.custom_fields, r.note, r.organization_id, r.is_organization_chosen, r.blocked_at, r.merged_into_id,
    r.last_seen_at, r.created_at, r.updated_at, r.search, ${indexVersion}
  from json_populate_recordset(null::contacts, ${JSON.stringify(rows)}::text::json) r`

export interface KnownContact {
  /** The contact itself, or the one that it was merged into. */
  survivor_id: string
  full_name: string | null
  email: string | null
}

export const listKnownContacts = (sql: Sql, projectId: string, ids: string[]) => sql<
  (KnownContact & { id: string })[]
>`
  select id, coalesce(merged_into_id, id) as survivor_id, full_name, email from contacts
  where project_id = ${projectId} and id = ${anyId(sql, ids)}`

/** Until the commit, these contacts, or those into which they were merged, are not merged into others. */
export const lockSurvivors = (sql: Sql, projectId: string, ids: string[]) => sql`
  select from contacts where project_id = ${projectId} and id in (
    select coalesce(merged_into_id, id) from contacts where project_id = ${projectId} and id = ${anyId(sql, ids)})
  order by id for no key update`
