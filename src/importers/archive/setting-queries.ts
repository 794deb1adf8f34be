import type { Sql } from '../../core/db/db.ts'
import type {
  ExportedCannedAnswer,
  ExportedCustomField,
  ExportedDepartment,
  ExportedOperator,
  ExportedSavedView,
  ExportedTag,
} from './rows.ts'

/** The statements skip rows that the project already has, so that an import can be repeated. */

export const listOperatorsByEmail = (sql: Sql, projectId: string, emails: string[]) => sql<
  ExportedOperator[]
>`
  select id, name, lower(email) as email from operators
  where project_id = ${projectId} and removed_at is null and lower(email) = any(${emails}::text[])`

/** The default department of the export becomes the default of a project that has none. */
export const insertDepartments = (sql: Sql, projectId: string, rows: ExportedDepartment[]) => sql`
  insert into departments (project_id, id, name, is_default, signature, created_at)
  select ${projectId}, uuid_v7(), r.name, r.is_default and not exists (
      select from departments d where d.project_id = ${projectId} and d.is_default), r.signature, r.created_at
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (
    id uuid, name text, is_default boolean, signature text, created_at timestamptz)
  order by r.id on conflict do nothing`

export const listDepartmentsByName = (sql: Sql, projectId: string, names: string[]) => sql<
  { id: string; name: string }[]
>`
  select id, lower(name) as name from departments
  where project_id = ${projectId} and lower(name) = any(${names}::text[])`

export const insertTags = (sql: Sql, projectId: string, rows: (ExportedTag & { folded: string })[]) => sql`
  insert into tags (project_id, id, name, folded, color, created_at)
  select ${projectId}, uuid_v7(), r.name, r.folded, r.color, r.created_at
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (
    id uuid, name text, folded text, color text, created_at timestamptz)
  order by r.id on conflict do nothing`

export const insertFields = (sql: Sql, projectId: string, rows: ExportedCustomField[]) => sql`
  insert into custom_fields (project_id, id, record, key, label, type, options, is_required, position, created_at)
  select ${projectId}, uuid_v7(), r.record, r.key, r.label, r.type, r.options, r.is_required, r.position, r.created_at
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (
    id uuid, record text, key text, label text, type text, options text[], is_required boolean, position integer,
    created_at timestamptz)
  order by r.id on conflict do nothing`

/** The job that indexes restored rows builds the search index. */
export const insertCannedAnswers = (sql: Sql, projectId: string, rows: ExportedCannedAnswer[]) => sql`
  insert into canned_answers (project_id, id, owner_id, department_id, shortcut, title, content, created_at, updated_at)
  select ${projectId}, uuid_v7(), r.owner_id, r.department_id, r.shortcut, r.title, r.content, r.created_at, r.updated_at
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (
    id uuid, owner_id uuid, department_id uuid, shortcut text, title text, content text, created_at timestamptz,
    updated_at timestamptz)
  order by r.id on conflict do nothing`

export const insertViews = (sql: Sql, projectId: string, rows: ExportedSavedView[]) => sql`
  insert into saved_views (project_id, id, owner_id, name, filters, is_shared, department_id, columns, density, layout,
    position, created_at)
  select ${projectId}, uuid_v7(), r.owner_id, r.name, r.filters, r.is_shared,
    (select d.id from departments d where d.project_id = ${projectId} and d.id = r.department_id),
    r.columns, r.density, coalesce(r.layout, 'list'), r.position, r.created_at
  from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (
    id uuid, owner_id uuid, name text, filters jsonb, is_shared boolean, department_id uuid, columns text[], density text,
    layout text, position integer, created_at timestamptz)
  where not exists (
    select from saved_views v where v.project_id = ${projectId} and v.owner_id = r.owner_id and v.name = r.name)
  order by r.id`
