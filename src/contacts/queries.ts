import { anyId, type Fragment, planned, plannedUnless, type Sql } from '../core/db.ts'
import type { Identity } from './identity-queries.ts'
import type { Contact } from './schema.ts'

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

/** Whether anything leads to it: an id, an account or an address. */
export async function isIdentified(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const { count } = await sql`
    select from contact_identities where project_id = ${projectId} and contact_id = ${id} limit 1`
  return count > 0
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
