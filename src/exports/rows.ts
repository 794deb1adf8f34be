import type { Fragment, Sql } from '../core/db/db.ts'
import { type ExportedTable, exportedTables } from './tables.ts'

/** Reads what an export contains. */

const nothing = (sql: Sql): Fragment => sql`'{}'::jsonb`

/**
 * Rows after an id, as JSON. Ids are in order of creation, so rows that are added during the export come last. `condition` begins with
 * `and`; its rows are `r`.
 */
export const readRows = (
  sql: Sql,
  projectId: string,
  { name, without, more = nothing }: ExportedTable,
  after: string,
  limit: number,
  condition: Fragment = sql``,
) => sql<{ id: string; line: string }[]>`
  select r.id, (to_jsonb(r) - ${['project_id', ...without]}::text[] || ${more(sql, projectId)})::text as line
  from ${sql(name)} r where r.project_id = ${projectId} and r.id > ${after}::uuid ${condition} order by r.id limit ${limit}`

export async function countRows(sql: Sql, projectId: string): Promise<number> {
  let total = 0
  for (const { name } of exportedTables) {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from ${sql(name)} where project_id = ${projectId}`
    total += row!.count
  }
  return total
}

export async function readSettings(sql: Sql, projectId: string): Promise<string> {
  const [row] = await sql<{ line: string }[]>`
    select (to_jsonb(p) || jsonb_build_object('widget',
      (select settings from widgets w where w.project_id = ${projectId}), 'image_senders',
      (select coalesce(jsonb_agg(s.address order by s.address), '[]') from image_senders s where s.project_id = ${projectId})))::text as line
    from projects p where p.id = ${projectId}`
  return row!.line
}

export interface ExportedFile {
  id: string
  filename: string
  storage_key: string
  bucket_id: string | null
}

export const readFiles = (sql: Sql, projectId: string, after: string, limit: number) => sql<ExportedFile[]>`
  select id, filename, storage_key, bucket_id from media
  where project_id = ${projectId} and id > ${after}::uuid and storage_key <> ''
  union all
  select id, 'mail.eml', storage_key, bucket_id from incoming_mails
  where project_id = ${projectId} and id > ${after}::uuid and storage_key <> ''
  order by id limit ${limit}`
