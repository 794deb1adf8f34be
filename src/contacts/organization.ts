import type { Sql } from '../core/db/db.ts'
import { refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import type { Tx } from '../events/transaction.ts'
import { createJoinFinder, findOrganizationBrief } from '../organizations/organizations.ts'
import type { Identity } from './identity-queries.ts'
import type { ContactFields } from './queries.ts'

/** The organization of a contact: chosen by a person or a program, or else found by the domain of an email address. */

interface Membership {
  organization_id: string | null
  is_organization_chosen: boolean
}

const none: Membership = { organization_id: null, is_organization_chosen: false }

/** The columns that change because the contact received these identities. Call this only if one of them is new for the contact. */
export async function joinByIdentities(
  tx: Tx,
  identities: Identity[],
  old: Membership = none,
): Promise<Pick<ContactFields, 'organization_id'>> {
  const addresses = identities.filter(({ type }) => type === 'email').map(({ value }) => value)
  if (!addresses.length || old.organization_id !== null || old.is_organization_chosen) return {}
  const organization_id = (await createJoinFinder(tx, tx.projectId, addresses))(addresses)
  return organization_id === null ? {} : { organization_id }
}

/** The columns of a chosen organization, or of none. From then on, the contact joins no other one automatically. */
export async function chooseOrganization(
  sql: Sql,
  projectId: string,
  sent: string | null | undefined,
): Promise<Partial<Membership>> {
  if (sent === undefined) return {}
  if (sent !== null && !(isId(sent) && (await findOrganizationBrief(sql, projectId, sent))))
    throw refuse('organization_id', 'not_found')
  return { organization_id: sent, is_organization_chosen: true }
}
