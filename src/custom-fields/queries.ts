import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import type { CustomField, FieldChange, FieldRecord } from './schema.ts'

const columns = (sql: Sql): Fragment =>
  sql`id, record, key, label, type, options, is_required, position, created_at`

export const listFields = (sql: Sql, projectId: string) => sql<CustomField[]>`
  select ${columns(sql)} from custom_fields where project_id = ${projectId} order by record desc, position, created_at, id`

export const listFieldsOf = (sql: Sql, projectId: string, record: FieldRecord, keys: string[]) => sql<
  CustomField[]
>`
  select ${columns(sql)} from custom_fields
  where project_id = ${projectId} and record = ${record} and key = any(${keys}::text[])`

export const listFieldsByIds = (sql: Sql, projectId: string, ids: string[]) => sql<CustomField[]>`
  select ${columns(sql)} from custom_fields where project_id = ${projectId} and id = ${anyId(sql, ids)}`

export async function lockField(sql: Sql, projectId: string, id: string): Promise<CustomField | null> {
  const [row] = await sql<CustomField[]>`
    select ${columns(sql)} from custom_fields where project_id = ${projectId} and id = ${id} for update`
  return row ?? null
}

/** Returns null if the record already has a field with this key. Without a position, the field is the last one. */
export async function insertField(
  sql: Sql,
  projectId: string,
  field: Omit<CustomField, 'created_at' | 'position'> & { position: number | null },
): Promise<CustomField | null> {
  const { id, record, key, label, type, options, is_required, position } = field
  const [row] = await sql<CustomField[]>`
    insert into custom_fields (project_id, id, record, key, label, type, options, is_required, position)
    select ${projectId}, ${id}, ${record}, ${key}, ${label}, ${type}, ${options}::text[], ${is_required},
      coalesce(${position}::int, (select max(position) + 1 from custom_fields
        where project_id = ${projectId} and record = ${record}), 0)
    on conflict (project_id, record, key) do nothing returning ${columns(sql)}`
  return row ?? null
}

export async function countFields(sql: Sql, projectId: string, record: FieldRecord): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from custom_fields where project_id = ${projectId} and record = ${record}`
  return row!.count
}

export const updateField = (sql: Sql, projectId: string, id: string, fields: FieldChange) => sql`
  update custom_fields set ${sql(fields)} where project_id = ${projectId} and id = ${id}`

export const deleteField = (sql: Sql, projectId: string, id: string) => sql`
  delete from custom_fields where project_id = ${projectId} and id = ${id}`
