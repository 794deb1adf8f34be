import { allOf, conditionIf } from '../core/db/conditions.ts'
import type { Fragment, Sql } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type Listed, listPage } from '../core/paging/paging.ts'
import { listDomainSpellings, readOrganizationDomain } from './domains.ts'
import { countJoining } from './join-queries.ts'
import {
  countOrganizations,
  findOrganizationIds,
  listDomainOwners,
  listOrganizations,
  type OrganizationRow,
} from './queries.ts'
import type { DomainPreview, Organization, OrganizationQuery } from './schema.ts'

/** A key that is equal for all spellings of a name. */
export const foldName = (name: string): string => name.trim().normalize('NFC').toLowerCase()

export const toOrganization = (row: OrganizationRow): Organization => ({
  ...row,
  _links: {
    self: `/api/v1/organizations/${row.id}`,
    contacts: `/api/v1/contacts?organization_id=${row.id}`,
    tickets: `/api/v1/tickets?organization_id=${row.id}`,
  },
})

export async function getOrganization(sql: Sql, projectId: string, id: string): Promise<Organization> {
  const [row] = isId(id) ? await listOrganizations(sql, projectId, [id]) : []
  if (!row) throw new ApiError('ORGANIZATION_NOT_FOUND')
  return toOrganization(row)
}

const likePattern = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

function matches(sql: Sql, projectId: string, q: string): Fragment {
  const words = likePattern(foldName(q))
  return sql`(o.folded like ${`%${words}%`} or o.id in (select organization_id from organization_domains
    where project_id = ${projectId} and domain like ${`${words}%`}))`
}

const conditions = (sql: Sql, projectId: string, { q, domain, external_id }: OrganizationQuery): Fragment =>
  allOf(sql, [
    sql`o.project_id = ${projectId} and o.deleted_at is null`,
    ...conditionIf(q, text => matches(sql, projectId, text)),
    ...conditionIf(
      domain,
      sent => sql`o.id in (select organization_id from organization_domains
        where project_id = ${projectId} and domain = any(${listDomainSpellings(sent)}::text[]))`,
    ),
    ...conditionIf(external_id, sent => sql`o.external_id = ${sent}`),
  ])

export function searchOrganizations(
  sql: Sql,
  projectId: string,
  query: OrganizationQuery,
): Promise<Listed<Organization>> {
  const where = conditions(sql, projectId, query)
  const sort = query.sort ?? 'name'
  const name = sort.replace('-', '')
  const column = name === 'name' ? sql`o.folded` : sql`o.created_at`
  return listPage(
    {
      sql,
      sort: {
        ...{ name, isDescending: sort.startsWith('-'), column, id: sql`o.id` },
        isText: name === 'name',
      },
      find: (condition, ordering) =>
        findOrganizationIds(sql, sql`${where} and ${condition}`, column, ordering),
      load: async ids => (await listOrganizations(sql, projectId, ids)).map(toOrganization),
      count: limit => countOrganizations(sql, where, limit),
    },
    query,
  )
}

/** Previews adding the domain to an organization. */
export async function previewDomain(sql: Sql, projectId: string, sent: string): Promise<DomainPreview> {
  const domain = readOrganizationDomain(sent, 'domain')
  const [owner] = await listDomainOwners(sql, projectId, [domain])
  const contacts_count = owner ? 0 : await countJoining(sql, projectId, listDomainSpellings(domain))
  return { domain, organization: owner ? { id: owner.id, name: owner.name } : null, contacts_count }
}
