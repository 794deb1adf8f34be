import {
  deleteOrganizations,
  listUnusedOrganizations,
  lockOrganizationsToRemove,
} from './organization-queries.ts'
import { maxRecords, type Removal, type Removed } from './removal.ts'
import { deleteRecordsOf, listRecordsAfter } from './removal-queries.ts'

/** Organizations that still have members stay, as contacts that still have tickets do. The contacts of the import are already deleted. */
export async function removeOrganizations({ tx, source, after }: Removal): Promise<Removed> {
  const { projectId } = tx
  const organizations = await listRecordsAfter(
    tx,
    projectId,
    { source, kind: 'organization', after },
    maxRecords,
  )
  if (!organizations.length) return { counts: {}, until: null }
  const all = organizations.map(({ id }) => id)
  const candidates = await listUnusedOrganizations(tx, projectId, source, all)
  await lockOrganizationsToRemove(tx, projectId, candidates)
  const unused = await listUnusedOrganizations(tx, projectId, source, candidates)
  await deleteOrganizations(tx, projectId, unused)
  const countOf = await deleteRecordsOf(tx, projectId, source, unused)
  return { counts: { organizations: -countOf('organization') }, until: organizations.at(-1)!.source_id }
}
