import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import type { Tx } from '../events/transaction.ts'

/** Statements about the members of organizations, and about the work of joining and leaving. */

export interface JoinRow {
  domain: string
  organization_id: string
  reached: string
  is_second: boolean
}

const addressDomain = (sql: Sql): Fragment => sql`split_part(i.value, '@', -1)`

const mayJoin = (sql: Sql): Fragment =>
  sql`c.organization_id is null and not c.is_organization_chosen and c.merged_into_id is null`

/** How many contacts have an address in the domain and may join. */
export async function countJoining(sql: Sql, projectId: string, spellings: string[]): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(distinct c.id)::int as count from contact_identities i
    join contacts c on c.project_id = ${projectId} and c.id = i.contact_id
    where i.project_id = ${projectId} and i.type = 'email' and ${addressDomain(sql)} = any(${spellings}::text[])
      and ${mayJoin(sql)}`
  return row!.count
}

/** The organization of each of these domains. */
export const listOrganizationsOfDomains = (sql: Sql, projectId: string, domains: string[]) => sql<
  { domain: string; organization_id: string }[]
>`
  select domain, organization_id from organization_domains
  where project_id = ${projectId} and domain = any(${domains}::text[])`

export const insertJoins = (sql: Sql, projectId: string, organizationId: string, domains: string[]) => sql`
  insert into organization_joins (project_id, domain, organization_id)
  select ${projectId}, domain, ${organizationId} from unnest(${domains}::text[]) as d (domain) order by domain
  on conflict (project_id, domain) do update
    set organization_id = excluded.organization_id, reached = '', is_second = false, due_at = excluded.due_at`

export const deleteJoins = (sql: Sql, projectId: string, domains: string[]) => sql`
  delete from organization_joins where project_id = ${projectId} and domain = any(${domains}::text[])`

export async function lockDueJoin(sql: Sql, projectId: string): Promise<JoinRow | null> {
  const [row] = await sql<JoinRow[]>`
    select domain, organization_id, reached, is_second from organization_joins
    where project_id = ${projectId} and due_at <= now() order by due_at, domain limit 1 for update skip locked`
  return row ?? null
}

/** The next addresses in the domain, with their contacts. */
export const listJoining = (sql: Sql, projectId: string, { domain, reached }: JoinRow, limit: number) => sql<
  { value: string; contact_id: string }[]
>`
  select i.value, i.contact_id from contact_identities i
  where i.project_id = ${projectId} and i.type = 'email' and ${addressDomain(sql)} = ${domain} and i.value > ${reached}
  order by i.value limit ${limit}`

/** Adds those of these contacts that may join. Locks them in the order of their ids, as everywhere. */
export async function updateJoining(tx: Tx, organizationId: string, contactIds: string[]): Promise<void> {
  const { projectId } = tx
  const joined = await tx<{ id: string }[]>`
    with found as (
      select id from contacts c where project_id = ${projectId} and id = ${anyId(tx, contactIds)} and ${mayJoin(tx)}
      order by id for no key update
    )
    update contacts c set organization_id = ${organizationId}, version = version + 1 from found
    where c.project_id = ${projectId} and c.id = found.id returning c.id`
  tx.touch('contact', ...joined.map(({ id }) => id))
}

export const updateJoin = (sql: Sql, projectId: string, domain: string, reached: string) => sql`
  update organization_joins set reached = ${reached} where project_id = ${projectId} and domain = ${domain}`

/** Begins the second pass, which is due when every transaction that did not see the domain has ended. */
export const updateJoinSecond = (sql: Sql, projectId: string, domain: string, pauseMs: number) => sql`
  update organization_joins
  set reached = '', is_second = true, due_at = now() + ${pauseMs}::int * interval '1 millisecond'
  where project_id = ${projectId} and domain = ${domain}`

export async function findDeletedOrganization(sql: Sql, projectId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from organizations where project_id = ${projectId} and deleted_at is not null
    order by deleted_at limit 1`
  return row?.id ?? null
}

/** Removes some members of an organization, and returns how many. */
export async function updateLeaving(tx: Tx, organizationId: string, limit: number): Promise<number> {
  const { projectId } = tx
  const left = await tx<{ id: string }[]>`
    with found as (
      select id from contacts where project_id = ${projectId} and organization_id = ${organizationId}
      order by id limit ${limit} for no key update
    )
    update contacts c set organization_id = null, version = version + 1 from found
    where c.project_id = ${projectId} and c.id = found.id returning c.id`
  tx.touch('contact', ...left.map(({ id }) => id))
  return left.length
}

export const deleteOrganizationRow = (sql: Sql, projectId: string, id: string) => sql`
  delete from organizations where project_id = ${projectId} and id = ${id} and deleted_at is not null`

export const waitingJoins: WaitingWork = sql =>
  sql`select project_id, due_at from organization_joins
    union all select project_id, deleted_at as due_at from organizations where deleted_at is not null`
