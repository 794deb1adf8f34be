import type { Fragment, Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import type { Exported } from './schema.ts'

export interface ClaimedExport {
  project_id: string
  id: string
  has_files: boolean
  tries: number
}

export interface StoredExport {
  storage_key: string
  bucket_id: string | null
  size: number
}

const columns = (sql: Sql, operatorId: string) => sql`
  id, has_files, status, step, rows_done, rows_total, size, reason, operator_id = ${operatorId} as is_own,
  created_at, finished_at, expires_at`

export const listExportRows = (sql: Sql, projectId: string, operatorId: string) => sql<Exported[]>`
  select ${columns(sql, operatorId)} from exports where project_id = ${projectId} order by created_at desc, id desc`

export const insertExport = (
  sql: Sql,
  projectId: string,
  { id, operatorId, hasFiles }: { id: string; operatorId: string; hasFiles: boolean },
) => sql<Exported[]>`
  insert into exports (project_id, id, operator_id, has_files) values (${projectId}, ${id}, ${operatorId}, ${hasFiles})
  returning ${columns(sql, operatorId)}`

export const hasUnfinishedExport = async (sql: Sql, projectId: string): Promise<boolean> =>
  (await sql`select from exports where project_id = ${projectId} and status in ('waiting', 'running')`)
    .length > 0

/** Finds the file for the person who requested it, until it expires. */
export async function findExportFile(
  sql: Sql,
  projectId: string,
  id: string,
  operatorId: string,
): Promise<StoredExport | null> {
  const [row] = await sql<StoredExport[]>`
    select storage_key, bucket_id, size from exports
    where project_id = ${projectId} and id = ${id} and operator_id = ${operatorId} and status = 'done'
      and expires_at > now()`
  return row ?? null
}

const leaseEnd = (sql: Sql, lease: number): Fragment => sql`now() + ${lease}::int * interval '1 ms'`

export const waitingExports: WaitingWork = sql =>
  sql`select project_id, coalesce(lease_until, created_at) as due_at from exports
    where status in ('waiting', 'running')`

/** Claims an export that no process works on, or whose lease has expired. */
export async function lockExport(sql: Sql, projectId: string, lease: number): Promise<ClaimedExport | null> {
  const [row] = await sql<ClaimedExport[]>`
    update exports set status = 'running', tries = tries + 1, rows_done = 0,
      lease_until = ${leaseEnd(sql, lease)}
    where project_id = ${projectId} and id = (
      select id from exports
      where project_id = ${projectId} and status in ('waiting', 'running') and (lease_until is null or lease_until < now())
      order by created_at limit 1 for update skip locked)
    returning project_id, id, has_files, tries`
  return row ?? null
}

export const updateExportProgress = (
  sql: Sql,
  { project_id, id, tries }: ClaimedExport,
  { step, rowsDone, rowsTotal }: { step: string; rowsDone: number; rowsTotal: number },
) => sql`
  update exports set step = ${step}, rows_done = ${rowsDone}, rows_total = ${rowsTotal}
  where project_id = ${project_id} and id = ${id} and tries = ${tries} and status = 'running'`

export const updateExportLease = (sql: Sql, { project_id, id, tries }: ClaimedExport, lease: number) => sql`
  update exports set lease_until = ${leaseEnd(sql, lease)}
  where project_id = ${project_id} and id = ${id} and tries = ${tries} and status = 'running'`

/** Keeps an object that is still being written from being deleted as a stray. */
export const updateStrayDue = (sql: Sql, key: string) => sql`
  update stray_objects set due_at = greatest(due_at, now() + interval '45 minutes') where storage_key = ${key}`

export const updateExportFinished = (
  sql: Sql,
  { project_id, id, tries }: ClaimedExport,
  { storage_key, bucket_id, size }: StoredExport,
) => sql`
  update exports set status = 'done', step = null, size = ${size}, storage_key = ${storage_key},
    bucket_id = ${bucket_id}, finished_at = now(), expires_at = now() + interval '7 days', lease_until = null
  where project_id = ${project_id} and id = ${id} and tries = ${tries} and status = 'running'`

export const updateExportFailed = (
  sql: Sql,
  { project_id, id, tries }: ClaimedExport,
  { reason, isFinal }: { reason: NonNullable<Exported['reason']>; isFinal: boolean },
) => sql`
  update exports set reason = ${reason}, step = null, ${
    isFinal
      ? sql`status = 'failed', lease_until = null, finished_at = now(), expires_at = now() + interval '7 days'`
      : sql`status = 'waiting', lease_until = now() + interval '1 minute', finished_at = null, expires_at = null`
  }
  where project_id = ${project_id} and id = ${id} and tries = ${tries} and status = 'running'`

/** The objects of deleted exports become strays. */
export const deleteExpiredExportRows = (sql: Sql) => sql`delete from exports where expires_at <= now()`
