import type { Sql } from '../core/db/db.ts'
import type { ImportedSource, ImportKind } from './schema.ts'

/** Statements about imports, and about the records that belong to them. */

export type ImportCounts = Pick<
  ImportedSource,
  'contacts' | 'matched_contacts' | 'organizations' | 'tickets' | 'messages' | 'files'
>

export const insertImport = (sql: Sql, projectId: string, source: string) => sql`
  insert into imports (project_id, source) values (${projectId}, ${source}) on conflict do nothing`

export interface LockedImport {
  state: ImportedSource['state']
  is_forced: boolean
  kept: number
  removal_step:
    | 'tickets'
    | 'messages'
    | 'files'
    | 'merged_contacts'
    | 'contacts'
    | 'organizations'
    | 'records'
  removed_until: string
}

/** Null if there is no such import. */
export async function lockImport(sql: Sql, projectId: string, source: string): Promise<LockedImport | null> {
  const [row] = await sql<LockedImport[]>`
    select state, is_forced, kept, removal_step, removed_until from imports
    where project_id = ${projectId} and source = ${source} for update`
  return row ?? null
}

export const updateImportCounts = (
  sql: Sql,
  projectId: string,
  source: string,
  { contacts, matched_contacts, organizations, tickets, messages, files }: ImportCounts,
) => sql`
  update imports set contacts = contacts + ${contacts}::int, matched_contacts = matched_contacts + ${matched_contacts}::int,
    organizations = organizations + ${organizations}::int, tickets = tickets + ${tickets}::int, messages = messages + ${messages}::int, files = files + ${files}::int
  where project_id = ${projectId} and source = ${source}`

export const updateImportTime = (sql: Sql, projectId: string, source: string) => sql`
  update imports set last_import_at = now() where project_id = ${projectId} and source = ${source}`

export interface ImportedRecord {
  source_id: string
  record_id: string
}

/** A join, because without statistics the planner compares each record of the import with each of the ids of `any`. */
export const listRecords = (sql: Sql, projectId: string, source: string, kind: ImportKind, ids: string[]) =>
  sql<ImportedRecord[]>`
    select r.source_id, r.record_id from (select distinct unnest(${ids}::text[]) as source_id) asked
    join imported_records r on r.project_id = ${projectId} and r.source = ${source} and r.kind = ${kind}
      and r.source_id = asked.source_id`

export interface NewRecord extends ImportedRecord {
  is_made?: boolean
  awaited?: string | null
}

export const insertRecords = (
  sql: Sql,
  projectId: string,
  source: string,
  kind: ImportKind,
  records: NewRecord[],
) => sql`
  insert into imported_records (project_id, source, kind, source_id, record_id, is_made, awaited)
  select ${projectId}::uuid, ${source}, ${kind}, r.source_id, r.record_id, r.is_made::boolean, r.awaited
  from unnest(${records.map(one => one.source_id)}::text[], ${records.map(one => one.record_id)}::uuid[],
    ${records.map(({ is_made = true }) => `${is_made}`)}::text[], ${records.map(({ awaited = null }) => awaited)}::text[])
    as r (source_id, record_id, is_made, awaited)`

const columns = (
  sql: Sql,
) => sql`source, state, contacts, matched_contacts, organizations, tickets, messages, files, kept, created_at,
  last_import_at, removal_started_at, removal_finished_at`

export async function findImport(
  sql: Sql,
  projectId: string,
  source: string,
): Promise<ImportedSource | null> {
  const [row] = await sql<ImportedSource[]>`
    select ${columns(sql)} from imports where project_id = ${projectId} and source = ${source}`
  return row ?? null
}

export const listImports = (sql: Sql, projectId: string) => sql<ImportedSource[]>`
  select ${columns(sql)} from imports where project_id = ${projectId} order by created_at, source`

/** The file with this id in the other system, unless it has expired. */
export async function findImportedFile(
  sql: Sql,
  projectId: string,
  source: string,
  sourceId: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select f.id from imported_records r join media f on f.project_id = ${projectId} and f.id = r.record_id
    where r.project_id = ${projectId} and r.source = ${source} and r.kind = 'media' and r.source_id = ${sourceId}`
  return row?.id ?? null
}

export const deleteRecord = (
  sql: Sql,
  projectId: string,
  source: string,
  kind: ImportKind,
  sourceId: string,
) => sql`
  delete from imported_records
  where project_id = ${projectId} and source = ${source} and kind = ${kind} and source_id = ${sourceId}`

export const updateMediaCreated = (sql: Sql, projectId: string, id: string, at: string) => sql`
  update media set created_at = ${at} where project_id = ${projectId} and id = ${id}`

/** Deletes some of the records that are left, and returns how many. */
export async function deleteSomeRecords(
  sql: Sql,
  projectId: string,
  source: string,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from imported_records where project_id = ${projectId} and source = ${source}
      and (kind, source_id) in (select kind, source_id from imported_records
        where project_id = ${projectId} and source = ${source} limit ${limit})`
  return count
}

export const deleteImport = (sql: Sql, projectId: string, source: string) => sql`
  delete from imports where project_id = ${projectId} and source = ${source}`
