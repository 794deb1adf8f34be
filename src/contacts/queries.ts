import { anyId, type Fragment, planned, plannedUnless, type Sql } from '../core/db.ts'
import type { Contact } from './schema.ts'

export type IdentityType = 'external' | 'telegram' | 'email'

export interface Identity {
  type: IdentityType
  value: string
}

export interface IdentityRow extends Identity {
  contact_id: string
}

export type ContactRow = Omit<Contact, '_links'>

const columns = (sql: Sql): Fragment =>
  sql`
  c.id, c.id as internal_id, c.external_id, c.project_id as workspace_id, c.full_name, c.email, c.phone,
  c.telegram_id, c.telegram_username, c.avatar_url, c.language, c.timezone, c.source, c.tags, c.custom_fields,
  c.note, c.blocked_at is not null as is_blocked, c.blocked_at, c.last_seen_at, c.version, c.created_at, c.updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('type', i.type, 'value', i.value, 'is_verified', i.is_verified,
      'is_primary', i.is_primary) order by i.type, i.value), '[]') from contact_identities i
    where i.project_id = c.project_id and i.contact_id = c.id) as identities,
  t.tickets_count, t.open_tickets_count` as Fragment

const counts = (sql: Sql): Fragment =>
  sql`
  cross join lateral (
    select count(*)::int as tickets_count, (count(*) filter (where status <> 'closed'))::int as open_tickets_count
    from tickets t where t.project_id = c.project_id and t.contact_id = c.id
  ) t` as Fragment

/** A merged contact's old id leads to the one it was merged into. */
const resolve = (sql: Sql, projectId: string, id: string): Fragment =>
  sql`(select coalesce(merged_into_id, id) from contacts where project_id = ${projectId} and id = ${id})` as Fragment

export async function findContact(sql: Sql, projectId: string, id: string): Promise<ContactRow | null> {
  const [row] = await sql<ContactRow[]>`
    select ${columns(sql)} from contacts c ${counts(sql)}
    where c.project_id = ${projectId} and c.id = ${resolve(sql, projectId, id)}`
  return row ?? null
}

export async function findContactByIdentity(sql: Sql, projectId: string, { type, value }: Identity) {
  const [row] = await sql<{ contact_id: string }[]>`
    select contact_id from contact_identities
    where project_id = ${projectId} and type = ${type} and value = ${value}`
  return row?.contact_id ?? null
}

export const listContacts = (sql: Sql, projectId: string, ids: string[]) => sql<ContactRow[]>`
  select ${columns(sql)} from contacts c ${counts(sql)}
  where c.project_id = ${projectId} and c.id = ${anyId(sql, ids)}`

export const findContactIds = (
  sql: Sql,
  where: Fragment,
  sortBy: Fragment,
  ordering: Fragment,
  isSettled: boolean,
) =>
  plannedUnless(
    isSettled,
    sql<{ id: string; sort_value: string }[]>`
      select c.id, ${sortBy} as sort_value from contacts c where ${where} ${ordering}`,
  )

export async function countContacts(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await planned(sql<{ count: number }[]>`
    select count(*)::int as count from (select from contacts c where ${where} limit ${limit}) c`)
  return row!.count
}

/** In sub-selects, so that plans are kept (see `anyId`). */
const wanted = (sql: Sql, identities: Identity[]): Fragment =>
  sql`unnest((select ${identities.map(i => i.type) as never}::text[]),
      (select ${identities.map(i => i.value) as never}::text[])) as w (type, value)` as Fragment

// Everybody locks identities by type and value, and contacts after them: no two writers wait for each other.

/** All of them, or none where one is new: it would be claimed behind those that are locked, whatever its place. */
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

/** Takes each identity for the contact, or learns whose it is: the second of two writers waits here for the first. */
export const claimIdentities = (sql: Sql, projectId: string, contactId: string, identities: Identity[]) =>
  sql<IdentityRow[]>`
    insert into contact_identities (project_id, type, value, contact_id, is_primary)
    select ${projectId}, type, value, ${contactId}, true from ${wanted(sql, identities)} order by type, value
    on conflict (project_id, type, value) do update set value = excluded.value
    returning type, value, contact_id`

/** Hands identities over; they are primary where the contact had none of their type. */
export const moveIdentities = (sql: Sql, projectId: string, from: string, to: string) => sql`
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

export interface ContactFields {
  external_id?: string | null
  telegram_id?: number | null
  email?: string | null
  full_name?: string | null
  phone?: string | null
  telegram_username?: string | null
  avatar_url?: string | null
  language?: string | null
  timezone?: string | null
  note?: string | null
  tags?: string[]
  custom_fields?: Record<string, unknown>
  blocked_at?: string | null
}

/** `fields` holds the columns to write: names come from this module's types, never from a request. */
export const insertContact = (
  sql: Sql,
  projectId: string,
  id: string,
  fields: ContactFields & { source: string; created_at: string; updated_at: string },
) => sql`insert into contacts ${sql({ project_id: projectId, id, ...fields } as never)}`

export const updateContact = (
  sql: Sql,
  projectId: string,
  id: string,
  fields: ContactFields & { updated_at: string; merged_into_id?: string },
) => sql`
  update contacts set ${sql(fields as never)}, version = version + 1 where project_id = ${projectId} and id = ${id}`

/** The row itself, locked: what a change is decided on. */
export async function lockContact(sql: Sql, projectId: string, id: string) {
  const [row] = await sql<(Required<ContactFields> & { id: string; version: number })[]>`
    select id, external_id, telegram_id, email, full_name, phone, telegram_username, avatar_url, language, timezone,
      note, tags, custom_fields, blocked_at, version
    from contacts where project_id = ${projectId} and id = ${id} and merged_into_id is null for no key update`
  return row ?? null
}

/** Whoever was called back to the chat as one contact is called no sooner as the other. */
export const moveNotice = (sql: Sql, projectId: string, from: string, to: string) => sql`
  insert into reply_notices as n (project_id, contact_id, told_at)
  select project_id, ${to}, told_at from reply_notices where project_id = ${projectId} and contact_id = ${from}
  on conflict (project_id, contact_id) do update set told_at = greatest(n.told_at, excluded.told_at)`

/** Everything that a contact wrote or owns goes to another one. */
/** Tickets first, then their messages: the order in which tickets are merged. */
export async function moveBelongings(sql: Sql, projectId: string, from: string, to: string): Promise<void> {
  await sql`
    select from tickets where project_id = ${projectId} and contact_id = ${from} order by id for no key update`
  await sql`
    update messages m set sender_id = ${to} from tickets t
    where t.project_id = ${projectId} and t.contact_id = ${from}
      and m.project_id = ${projectId} and m.ticket_id = t.id and m.sender_type = 'contact' and m.sender_id = ${from}`
  await sql`update tickets set contact_id = ${to}, version = version + 1 where project_id = ${projectId} and contact_id = ${from}`
  await sql`update contacts set merged_into_id = ${to} where project_id = ${projectId} and merged_into_id = ${from}`
  await moveNotice(sql, projectId, from, to)
}
