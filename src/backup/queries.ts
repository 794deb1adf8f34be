import type { Sql } from '../core/db/db.ts'
import type { Applied } from './manifest.ts'

export interface TableRow {
  name: string
  /** The columns that are not computed from others. Excludes the search indexes and their versions. */
  columns: string[]
}

/** Excludes unlogged tables, whose rows need not survive. */
export const listBackupTables = (sql: Sql) => sql<TableRow[]>`
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and a.attgenerated = '' and a.atttypid <> 'tsvector'::regtype and a.attname <> 'search_version'
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
  group by c.relname order by c.relname`

export const listApplied = (sql: Sql) => sql<Applied[]>`
  select version, name, checksum from schema_migrations order by version`

export const getSnapshotMoment = (sql: Sql) => sql<{ at: string; version: string }[]>`
  select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at,
    current_setting('server_version') as version`

/** The keys of files on the disk, of exports and of mails. */
export const listStoredKeys = (sql: Sql, after: string, limit: number) => sql<{ storage_key: string }[]>`
  select storage_key from (
    select storage_key from media where bucket_id is null and storage_key > ${after}
    union
    select storage_key from exports where bucket_id is null and storage_key > ${after}
    union
    select storage_key from incoming_mails where bucket_id is null and storage_key > ${after}
  ) as stored where storage_key <> '' order by storage_key limit ${limit}`

/** The bytes of the tables without their indexes, and of their files. */
export const getDataSize = (sql: Sql) => sql<{ tables: number; files: number }[]>`
  select (select coalesce(sum(pg_table_size(oid)), 0)::bigint from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relpersistence = 'p') as tables,
    (select coalesce(sum(size), 0)::bigint from (
      select size from media where bucket_id is null and storage_key <> ''
      union all
      select size from exports where bucket_id is null and storage_key <> ''
      union all
      select size from incoming_mails where bucket_id is null and storage_key <> '') as stored) as files`

export const countRelations = (sql: Sql) => sql<{ count: number }[]>`
  select count(*)::int as count from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S', 'f')`

interface Definition {
  table: string
  name: string
  definition: string
}

export const listReferences = (sql: Sql) => sql<Definition[]>`
  select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f' order by conname`

/** The triggers that fill the columns that an archive does not contain. */
export const listSearchTriggers = (sql: Sql) => sql<{ table: string; name: string }[]>`
  select tgrelid::regclass::text as table, quote_ident(tgname) as name from pg_trigger
  where not tgisinternal and tgname like '%\\_search'`

/** Indexes that do not belong to a constraint. */
export const listIndexes = (sql: Sql) => sql<Definition[]>`
  select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name,
    pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class x on x.oid = i.indexrelid
  where x.relnamespace = 'public'::regnamespace
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  order by 2`
