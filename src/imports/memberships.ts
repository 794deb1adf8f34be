import { createJoinFinder } from '../organizations/organizations.ts'
import { lockImportedOrganizations } from './organization-queries.ts'
import type { ImportedMembership } from './organization-schema.ts'
import type { ImportRun } from './run.ts'

/** The organizations of imported contacts. */

interface Columns {
  organization_id: string | null
  is_organization_chosen: boolean
}

export type MembershipFinder = (membership: ImportedMembership | null, addresses: string[]) => Columns

/**
 * Returns a function that gives the organization that was imported with a contact, or else the one that the contact joins by its
 * addresses. Organizations are locked before identities and contacts.
 */
export async function createMembershipFinder(
  { tx, source }: ImportRun,
  contacts: { membership: ImportedMembership | null; addresses: string[] }[],
): Promise<MembershipFinder> {
  const named = contacts.flatMap(({ membership }) => membership?.organization ?? [])
  const rows = named.length ? await lockImportedOrganizations(tx, tx.projectId, source, named) : []
  const imported = new Map(rows.map(({ source_id, id }) => [source_id, id]))
  const findJoined = await createJoinFinder(
    tx,
    tx.projectId,
    contacts.flatMap(({ addresses }) => addresses),
  )
  return (membership, addresses) => {
    const { organization = null, is_chosen = false } = membership ?? {}
    const own = organization === null ? null : (imported.get(organization) ?? null)
    // Not if the chosen organization is missing: then the contact may join another one.
    const isChosen = is_chosen && (organization === null || own !== null)
    return {
      organization_id: own ?? (isChosen ? null : findJoined(addresses)),
      is_organization_chosen: isChosen,
    }
  }
}
