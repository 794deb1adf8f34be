import type { Sql } from '../core/db/db.ts'
import { domainOf, foldEmail } from '../core/email.ts'
import { listOrganizationsOfDomains } from './join-queries.ts'

const domainOfAddress = (address: string): string => domainOf(foldEmail(address))

/** Returns a function that gives the organization that a contact with these addresses joins: the first one that lists a domain of theirs. */
export async function createJoinFinder(sql: Sql, projectId: string, addresses: string[]) {
  const domains = [...new Set(addresses.map(domainOfAddress))]
  const rows = domains.length ? await listOrganizationsOfDomains(sql, projectId, domains) : []
  const owners = new Map(rows.map(({ domain, organization_id }) => [domain, organization_id]))
  return (own: string[]): string | null =>
    own.flatMap(address => owners.get(domainOfAddress(address)) ?? [])[0] ?? null
}
