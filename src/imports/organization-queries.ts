import { anyId, type Sql } from '../core/db/db.ts'

/** Statements about imported organizations. */

export interface ClaimedOrganization {
  id: string
  folded: string
  external_id: string | null
}

export const listClaimedOrganizations = (
  sql: Sql,
  projectId: string,
  { names, externalIds }: { names: string[]; externalIds: string[] },
) => sql<ClaimedOrganization[]>`
  select id, folded, external_id from organizations
  where project_id = ${projectId} and deleted_at is null
    and (folded = any(${names}::text[]) or external_id = any(${externalIds}::text[]))`

export interface NewOrganizationRow extends ClaimedOrganization {
  name: string
  note: string | null
  custom_fields: Record<string, unknown>
  created_at: string
  updated_at: string
}

export const insertImportedOrganizations = (sql: Sql, projectId: string, rows: NewOrganizationRow[]) => sql`
  insert into organizations (project_id, id, name, folded, external_id, note, custom_fields, created_at, updated_at)
  select ${projectId}::uuid, r.id, r.name, r.folded, r.external_id, r.note, r.custom_fields, r.created_at, r.updated_at
  from json_populate_recordset(null::organizations, ${JSON.stringify(rows)}::text::json) r`

/** Those of the imported organizations that still exist. Until the commit, they are not deleted. */
export const lockImportedOrganizations = (sql: Sql, projectId: string, source: string, ids: string[]) => sql<
  { source_id: string; id: string }[]
>`
  select r.source_id, o.id from (select distinct unnest(${ids}::text[]) as source_id) asked
  join imported_records r on r.project_id = ${projectId} and r.source = ${source} and r.kind = 'organization'
    and r.source_id = asked.source_id
  join organizations o on o.project_id = ${projectId} and o.id = r.record_id
  where o.deleted_at is null order by o.id for key share of o`

export const lockOrganizationsToRemove = (sql: Sql, projectId: string, ids: string[]) => sql`
  select from organizations where project_id = ${projectId} and id = ${anyId(sql, ids)} order by id for update`

/**
 * Organizations that the import created, and that have no members. Why the source is compared in this way is explained in
 * removal-queries.ts.
 */
export async function listUnusedOrganizations(
  sql: Sql,
  projectId: string,
  source: string,
  ids: string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select o.id from organizations o
    where o.project_id = ${projectId} and o.id = ${anyId(sql, ids)}
      and exists (select from imported_records r where r.project_id = ${projectId} and r.record_id = o.id
        and r.source is not distinct from ${source} and r.is_made)
      and not exists (select from imported_records r where r.project_id = ${projectId} and r.record_id = o.id
        and r.source <> ${source})
      and not exists (select from contacts c where c.project_id = ${projectId} and c.organization_id = o.id)
    order by o.id`
  return rows.map(({ id }) => id)
}

export const deleteOrganizations = (sql: Sql, projectId: string, ids: string[]) => sql`
  delete from organizations where project_id = ${projectId} and id = ${anyId(sql, ids)}`
