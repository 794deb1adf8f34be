import { anyId, type Fragment, preparedIf, type Sql, unprepared, updateVersioned } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import { now, toDatabase } from '../core/time.ts'
import { indexVersion } from '../core/words/vector.ts'
import { lockActivities } from '../events/activity.ts'
import type { Tx } from '../events/transaction.ts'
import { reindex } from '../words/words.ts'
import type { Identity } from './identity-queries.ts'
import { hasSearchedContactField, indexedContacts, printContactIndex } from './indexed.ts'
import type { Contact } from './schema.ts'

export type ContactRow = Omit<Contact, '_links'>

const columns = (sql: Sql, projectId: string): Fragment =>
  sql`
  c.id, c.id as internal_id, c.external_id, c.project_id as workspace_id, c.full_name, c.email, c.phone,
  c.telegram_id, c.telegram_username, c.avatar_url, c.language, c.timezone, c.source, c.tags, c.custom_fields,
  c.note, c.organization_id, c.blocked_at is not null as is_blocked, c.blocked_at, c.last_seen_at, c.merged_into_id, c.version, c.created_at, c.updated_at,
  (select coalesce(jsonb_agg(jsonb_build_object('type', i.type, 'value', i.value, 'is_verified', i.is_verified,
      'is_primary', i.is_primary, 'is_undeliverable', i.is_undeliverable) order by i.type, i.value), '[]') from contact_identities i
    where i.project_id = ${projectId} and i.contact_id = c.id) as identities,
  t.tickets_count, t.open_tickets_count`

const counts = (sql: Sql, projectId: string): Fragment =>
  sql`
  cross join lateral (
    select count(*)::int as tickets_count, (count(*) filter (where status <> 'closed'))::int as open_tickets_count
    from tickets t where t.project_id = ${projectId} and t.contact_id = c.id
  ) t`

/** The id of a merged contact resolves to the contact it was merged into. */
const resolve = (sql: Sql, projectId: string, id: string): Fragment =>
  sql`(select coalesce(merged_into_id, id) from contacts where project_id = ${projectId} and id = ${id})`

export async function findContact(sql: Sql, projectId: string, id: string, isItself = false) {
  const wanted = isItself ? sql`${id}::uuid` : resolve(sql, projectId, id)
  const [row] = await sql<ContactRow[]>`
    select ${columns(sql, projectId)} from contacts c ${counts(sql, projectId)} where c.project_id = ${projectId} and c.id = ${wanted}`
  return row ?? null
}

export async function findContactByIdentity(sql: Sql, projectId: string, { type, value }: Identity) {
  const [row] = await sql<{ contact_id: string }[]>`
    select contact_id from contact_identities
    where project_id = ${projectId} and type = ${type} and value = ${value}`
  return row?.contact_id ?? null
}

/** Whether the contact has an identity: an id, an account or an address. */
export async function isIdentified(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const { count } = await sql`
    select from contact_identities where project_id = ${projectId} and contact_id = ${id} limit 1`
  return count > 0
}

export const listContacts = (sql: Sql, projectId: string, ids: string[]) => sql<ContactRow[]>`
  select ${columns(sql, projectId)} from contacts c ${counts(sql, projectId)}
  where c.project_id = ${projectId} and c.id = ${anyId(sql, ids)}`

export const findContactIds = (
  sql: Sql,
  where: Fragment,
  sortBy: Fragment,
  ordering: Fragment,
  isSettled: boolean,
) =>
  preparedIf(
    isSettled,
    sql<{ id: string; sort_value: string }[]>`
      select c.id, ${sortBy} as sort_value from contacts c where ${where} ${ordering}`,
  )

export async function countContacts(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await unprepared(sql<{ count: number }[]>`
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
  organization_id?: string | null
  is_organization_chosen?: boolean
}

/** `fields` has the columns to write. Their names come from this module's types, never from a request. */
export async function insertContact(
  tx: Tx,
  id: string,
  fields: ContactFields & { source: string },
): Promise<void> {
  const at = toDatabase(now())
  const search = tx`${printContactIndex(fields)}::text::tsvector`
  const row = { ...fields, search, search_version: indexVersion, created_at: at, updated_at: at }
  await tx`insert into contacts ${tx({ project_id: tx.projectId, id, ...row })}`
  tx.touch('new contact', id)
}

export async function updateContact(
  tx: Tx,
  id: string,
  fields: ContactFields & { merged_into_id?: string | null },
): Promise<void> {
  await tx`
    ${updateVersioned(tx, 'contacts', fields)}
    where project_id = ${tx.projectId} and id = ${id}`
  if (hasSearchedContactField(fields)) await reindex(tx, tx.projectId, indexedContacts, 'id', id)
  tx.touch('contact', id)
}

export type LockedContact = Required<ContactFields> & { id: string; version: number }

/** Locks the row on which a change is based. */
export async function lockContact(sql: Sql, projectId: string, id: string): Promise<LockedContact | null> {
  const [row] = await sql<LockedContact[]>`
    select id, external_id, telegram_id, email, full_name, phone, telegram_username, avatar_url, language, timezone,
      note, tags, custom_fields, blocked_at, organization_id, is_organization_chosen, version
    from contacts where project_id = ${projectId} and id = ${id} and merged_into_id is null for no key update`
  return row ?? null
}

/** Moves the time of the last `visitor.reply_waiting`, so that the merged contact is not notified earlier. */
export const insertMergedNotice = (sql: Sql, projectId: string, from: string, to: string) => sql`
  insert into reply_notices as n (project_id, contact_id, told_at)
  select project_id, ${to}, told_at from reply_notices where project_id = ${projectId} and contact_id = ${from}
  on conflict (project_id, contact_id) do update set told_at = greatest(n.told_at, excluded.told_at)`

/**
 * Moves some of the tickets of a contact to another one, and returns their ids. Messages keep their sender, whose id resolves to the
 * other contact. Tickets are locked first, then their activity, in the same order as when tickets are merged.
 */
export async function updateTicketsContact(
  tx: Tx,
  from: string,
  to: string,
  limit: number,
): Promise<string[]> {
  const { projectId } = tx
  const owned = await tx<{ id: string }[]>`
    select id from tickets where project_id = ${projectId} and contact_id = ${from}
    order by id limit ${limit} for no key update`
  const ids = owned.map(({ id }) => id)
  if (ids.length === 0) return ids
  await tx`
    update tickets set contact_id = ${to}, version = version + 1
    where project_id = ${projectId} and id = ${anyId(tx, ids)}`
  await lockActivities(tx, projectId, ids)
  return ids
}

interface Merged {
  id: string
  merged_into_id: string
}

/** A merged contact that still has tickets. */
export async function findContactWithUnmovedTickets(sql: Sql, projectId: string): Promise<Merged | null> {
  const [row] = await sql<Merged[]>`
    select c.id, c.merged_into_id from contacts c
    where c.project_id = ${projectId} and c.merged_into_id is not null and exists (
      select from tickets t where t.project_id = ${projectId} and t.contact_id = c.id)
    limit 1`
  return row ?? null
}

export const waitingTicketMoves: WaitingWork = sql =>
  sql`select c.project_id, now() as due_at from contacts c where c.merged_into_id is not null and exists (
    select from tickets t where t.project_id = c.project_id and t.contact_id = c.id)
    union all select project_id, now() from contact_ticket_moves`

/** Call this before locking contacts, because chats are locked first. Returns the ids of the chats. */
export async function updateTelegramChatsContact(tx: Tx, from: string, to: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update telegram_chats set contact_id = ${to} where project_id = ${tx.projectId} and contact_id = ${from}
    returning id`
  return rows.map(({ id }) => id)
}

/** Makes contacts that were merged into `from`, which is now merged itself, resolve to `to`. Returns their ids. */
export async function updateMergedContacts(tx: Tx, from: string, to: string): Promise<string[]> {
  const moved = await tx<{ id: string }[]>`
    update contacts set merged_into_id = ${to}, version = version + 1
    where project_id = ${tx.projectId} and merged_into_id = ${from} returning id`
  const ids = moved.map(({ id }) => id)
  tx.touch('contact', ...ids)
  return ids
}
