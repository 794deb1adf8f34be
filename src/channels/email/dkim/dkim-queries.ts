import type { Fragment, Sql } from '../../../core/db/db.ts'

/** Queries of signing keys (DKIM). */

export const keyStatuses = ['new', 'published', 'missing', 'differs'] as const

export interface DkimKeyRow {
  domain: string
  selector: string
  public_key: string
  status: (typeof keyStatuses)[number]
  checked_at: string | null
  created_at: string
}

const columns = (sql: Sql): Fragment => sql`domain, selector, public_key, status, checked_at, created_at`

/** Oldest first. */
export const listDkimKeys = (sql: Sql, projectId: string, domain: string) => sql<DkimKeyRow[]>`
  select ${columns(sql)} from dkim_keys where project_id = ${projectId} and domain = ${domain}
  order by created_at, selector`

export const insertDkimKey = (
  sql: Sql,
  projectId: string,
  key: Pick<DkimKeyRow, 'domain' | 'selector' | 'public_key'> & { sealed: Buffer },
) => sql`insert into dkim_keys ${sql({ project_id: projectId, ...key })}`

export const updateDkimStatus = (
  sql: Sql,
  projectId: string,
  { domain, selector }: Pick<DkimKeyRow, 'domain' | 'selector'>,
  status: DkimKeyRow['status'],
) => sql`
  update dkim_keys set status = ${status}, checked_at = now()
  where project_id = ${projectId} and domain = ${domain} and selector = ${selector}`

/** Deletes keys that are older than a published one. */
export const deleteReplacedKeys = (sql: Sql, projectId: string, domain: string) => sql`
  delete from dkim_keys k
  where k.project_id = ${projectId} and k.domain = ${domain} and exists (
    select from dkim_keys n where n.project_id = ${projectId} and n.domain = k.domain and n.status = 'published'
      and n.created_at > k.created_at)`

export async function deleteDkimKeys(sql: Sql, projectId: string, domain: string): Promise<number> {
  const { count } = await sql`delete from dkim_keys where project_id = ${projectId} and domain = ${domain}`
  return count
}

/** The newest published key. */
export async function findPublishedKey(
  sql: Sql,
  projectId: string,
  domain: string,
): Promise<{ selector: string; sealed: Buffer } | null> {
  const [row] = await sql<{ selector: string; sealed: Buffer }[]>`
    select selector, sealed from dkim_keys
    where project_id = ${projectId} and domain = ${domain} and status = 'published'
    order by created_at desc limit 1`
  return row ?? null
}

/** Lists domains with a key whose record has not been looked up for a day, in random order, so that failed look-ups do not delay the others. */
export const listUncheckedKeys = (sql: Sql) => sql<{ project_id: string; domain: string }[]>`
  select project_id, domain from (
    select distinct project_id, domain from dkim_keys
    where project_id is not null and coalesce(checked_at, created_at) < now() - interval '1 day') k
  order by random() limit 20`
