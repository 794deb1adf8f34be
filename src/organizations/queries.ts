import { anyId, type Fragment, type Sql, unprepared, updateVersioned } from '../core/db/db.ts'
import type { FoundRow } from '../core/paging/paging.ts'
import { now, toDatabase } from '../core/time.ts'
import type { Organization, OrganizationBrief } from './schema.ts'

export type OrganizationRow = Omit<Organization, '_links'>

const domainsOf = (sql: Sql, projectId: string): Fragment =>
  sql`array(select d.domain::text from organization_domains d
    where d.project_id = ${projectId} and d.organization_id = o.id order by d.domain) as domains`

export const listOrganizations = (sql: Sql, projectId: string, ids: string[]) => sql<OrganizationRow[]>`
  select o.id, o.name, o.external_id, o.note, o.custom_fields, o.version, o.created_at, o.updated_at,
    ${domainsOf(sql, projectId)},
    (select count(*)::int from contacts c
      where c.project_id = ${projectId} and c.organization_id = o.id and c.merged_into_id is null) as contacts_count
  from organizations o where o.project_id = ${projectId} and o.id = ${anyId(sql, ids)} and o.deleted_at is null`

export const findOrganizationIds = (sql: Sql, where: Fragment, sortBy: Fragment, ordering: Fragment) =>
  unprepared(sql<FoundRow[]>`
    select o.id, ${sortBy} as sort_value from organizations o where ${where} ${ordering}`)

export async function countOrganizations(sql: Sql, where: Fragment, limit: number): Promise<number> {
  const [row] = await unprepared(sql<{ count: number }[]>`
    select count(*)::int as count from (select from organizations o where ${where} limit ${limit}) o`)
  return row!.count
}

export async function findOrganizationBrief(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<OrganizationBrief | null> {
  const [row] = await sql<OrganizationBrief[]>`
    select id, name from organizations where project_id = ${projectId} and id = ${id} and deleted_at is null`
  return row ?? null
}

export type LockedOrganization = Omit<OrganizationRow, 'contacts_count'>

export async function lockOrganization(
  sql: Sql,
  projectId: string,
  id: string,
): Promise<LockedOrganization | null> {
  const [row] = await sql<LockedOrganization[]>`
    select o.id, o.name, o.external_id, o.note, o.custom_fields, o.version, o.created_at, o.updated_at,
      ${domainsOf(sql, projectId)}
    from organizations o where o.project_id = ${projectId} and o.id = ${id} and o.deleted_at is null
    for no key update`
  return row ?? null
}

export interface OrganizationFields {
  name?: string
  folded?: string
  external_id?: string | null
  note?: string | null
  custom_fields?: Record<string, unknown>
}

export async function insertOrganization(
  sql: Sql,
  projectId: string,
  id: string,
  fields: OrganizationFields,
): Promise<void> {
  const at = toDatabase(now())
  await sql`
    insert into organizations ${sql({ project_id: projectId, id, ...fields, created_at: at, updated_at: at })}`
}

export const updateOrganization = (
  sql: Sql,
  projectId: string,
  id: string,
  fields: OrganizationFields,
) => sql`
  ${updateVersioned(sql, 'organizations', { ...fields, updated_at: toDatabase(now()) })}
  where project_id = ${projectId} and id = ${id}`

/** Takes these domains for the organization, and returns those that it has now. */
export async function insertOrganizationDomains(
  sql: Sql,
  projectId: string,
  id: string,
  domains: string[],
): Promise<string[]> {
  const rows = await sql<{ domain: string }[]>`
    insert into organization_domains (project_id, domain, organization_id)
    select ${projectId}, domain, ${id} from unnest(${domains}::text[]) as d (domain) order by domain
    on conflict do nothing returning domain`
  return rows.map(({ domain }) => domain)
}

export const deleteOrganizationDomains = (sql: Sql, projectId: string, id: string, domains: string[]) => sql`
  delete from organization_domains
  where project_id = ${projectId} and organization_id = ${id} and domain = any(${domains}::text[])`

export interface DomainOwner extends OrganizationBrief {
  domain: string
}

export const listDomainOwners = (sql: Sql, projectId: string, domains: string[]) => sql<DomainOwner[]>`
  select d.domain, o.id, o.name from organization_domains d
  join organizations o on o.project_id = ${projectId} and o.id = d.organization_id
  where d.project_id = ${projectId} and d.domain = any(${domains}::text[])`

/** Hides the organization, and frees its name, its external id and its domains. */
export async function updateOrganizationDeleted(sql: Sql, projectId: string, id: string): Promise<void> {
  await sql`delete from organization_domains where project_id = ${projectId} and organization_id = ${id}`
  await sql`delete from organization_joins where project_id = ${projectId} and organization_id = ${id}`
  await sql`
    update organizations set deleted_at = ${toDatabase(now())} where project_id = ${projectId} and id = ${id}`
}
