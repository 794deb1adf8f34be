import { anyId, type Fragment, type Sql } from '../../core/db/db.ts'
import { newestSeqOf } from '../../events/log.ts'
import type { Visitor } from './visitor.ts'

const columns = (sql: Sql, projectId: string): Fragment =>
  sql`v.id, coalesce(c.merged_into_id, v.contact_id) as contact_id, v.identified_at is not null as is_identified,
    v.is_verified, v.ticket_id, v.locale, v.page_url, v.surface,
    case when v.is_verified then n.full_name else v.name end as name, case when v.is_verified then n.email end as email,
    n.blocked_at is not null as is_blocked,
    (select ${newestSeqOf(sql, sql`${projectId}`)} from project_counters c where c.project_id = ${projectId}) as last_seq`

/** The contact of visitor `v`, and its current name. */
const contact = (sql: Sql, projectId: string): Fragment =>
  sql`left join contacts c on c.project_id = ${projectId} and c.id = v.contact_id
    left join contacts n on n.project_id = ${projectId} and n.id = coalesce(c.merged_into_id, c.id)`

interface Admitted {
  project_name: string
  is_suspended: boolean
  is_maintenance: boolean
  is_on: boolean
}

/**
 * For the access check: the project (null if there is none) and the visitor with this token. If `isNoted`, it records that the
 * visitor was seen.
 */
export async function findAdmittedVisitor(
  sql: Sql,
  projectId: string,
  tokenHash: Buffer | null,
  isNoted: boolean,
) {
  const [row] = await sql<(Admitted & (Visitor | { id: null }))[]>`
    with seen as (
      update visitors set seen_at = now()
      where project_id = ${projectId} and token_hash = ${tokenHash} and seen_at < now() - interval '10 minutes'
        and ${isNoted}
    )
    select p.name as project_name, p.suspended_at is not null as is_suspended,
      (select maintenance from installation) as is_maintenance,
      coalesce((w.settings ->> 'is_on')::boolean, false) as is_on, ${columns(sql, projectId)}
    from projects p
    left join widgets w on w.project_id = p.id
    left join visitors v on v.project_id = p.id and v.token_hash = ${tokenHash}
      and (v.expires_at is null or v.expires_at > now())
    ${contact(sql, projectId)}
    where p.id = ${projectId}`
  return row ?? null
}

export async function findVisitor(sql: Sql, projectId: string, id: string): Promise<Visitor | null> {
  const [row] = await sql<Visitor[]>`
    select ${columns(sql, projectId)} from visitors v ${contact(sql, projectId)} where v.project_id = ${projectId} and v.id = ${id}`
  return row ?? null
}

/** This lock is always taken first, so that requests of one visitor run one at a time. */
export async function lockVisitor(sql: Sql, projectId: string, id: string): Promise<Visitor | null> {
  await sql`select from visitors where project_id = ${projectId} and id = ${id} for no key update`
  return findVisitor(sql, projectId, id)
}

export interface VisitorFields {
  contact_id?: string | null
  identified_at?: string
  is_verified?: boolean
  ticket_id?: string
  expires_at?: string
  name?: string | null
  locale?: string | null
  page_url?: string | null
  surface?: 'widget' | 'page'
}

export const insertVisitor = (
  sql: Sql,
  projectId: string,
  fields: VisitorFields & { id: string; token_hash: Buffer },
) => sql`insert into visitors ${sql({ project_id: projectId, ...fields })}`

export const updateVisitor = (sql: Sql, projectId: string, id: string, fields: VisitorFields) => sql`
  update visitors set ${sql(fields)} where project_id = ${projectId} and id = ${id}`

export const deleteVisitorToken = (sql: Sql, projectId: string, id: string, tokenHash: Buffer) => sql`
  update visitors set token_hash = ${tokenHash}, expires_at = now() where project_id = ${projectId} and id = ${id}`

export interface VisitorCredential {
  projectId: string
  visitor: Pick<Visitor, 'id' | 'contact_id' | 'is_verified' | 'ticket_id'>
}

/** The access check for many open streams of a project at once. Returns the numbers, from 1, of those whose token is no longer valid. */
export async function findEndedVisitors(
  sql: Sql,
  projectId: string,
  passes: Pick<VisitorCredential, 'visitor'>[],
) {
  const rows = await sql<{ maintenance: boolean; n: number | null }[]>`
    select i.maintenance, gone.n::int as n from installation i left join (
      select a.n from unnest(${passes.map(({ visitor }) => visitor.id)}::uuid[],
          ${passes.map(({ visitor }) => visitor.contact_id)}::uuid[],
          ${passes.map(({ visitor }) => String(visitor.is_verified))}::text[]::boolean[])
          with ordinality as a (id, contact_id, is_verified, n)
        left join projects p on p.id = ${projectId}
        left join widgets w on w.project_id = ${projectId}
        left join visitors v on v.project_id = ${projectId} and v.id = a.id
        left join contacts c on c.project_id = ${projectId} and c.id = v.contact_id
      where v.id is null or v.expires_at <= now() or p.suspended_at is not null
        or not coalesce((w.settings ->> 'is_on')::boolean, false) or v.is_verified <> a.is_verified
        or ((v.is_verified or v.ticket_id is not null)
          and coalesce(c.merged_into_id, v.contact_id) is distinct from a.contact_id)
    ) gone on true`
  return {
    isMaintenance: rows[0]?.maintenance ?? false,
    ended: rows.flatMap(({ n }) => (n === null ? [] : [n])),
  }
}

/** Visitors of expired links, inactive visitors who never wrote and, after a longer time, all inactive visitors. */
export const listOldVisitors = (sql: Sql, limit: number) => sql<{ project_id: string; id: string }[]>`
  select project_id, id from visitors where expires_at < now()
  union all
  select project_id, id from visitors where seen_at < now() - interval '400 days'
  union all
  select project_id, id from visitors where seen_at < now() - interval '30 days' and contact_id is null
  limit ${limit}`

export const deleteVisitors = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from visitors where project_id = ${projectId} and id = ${anyId(sql, ids)}`
