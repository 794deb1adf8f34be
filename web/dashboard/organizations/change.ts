import type { Organization, OrganizationChange } from '../contacts/organization-queries.ts'
import { contactKeys } from '../contacts/query-keys.ts'
import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure } from '../core/notice.ts'
import { queryClient } from '../core/query.ts'
import { ticketKeys } from '../tickets/query-keys.ts'
import { organizationKeys } from './query-keys.ts'

/** Also refreshes contacts and tickets, because they show their organization. */
export async function refreshOrganizations(projectId: string): Promise<void> {
  const keys = [
    organizationKeys.lists(projectId),
    organizationKeys.organizations(projectId),
    contactKeys.contacts(projectId),
    contactKeys.lists(projectId),
    contactKeys.ticketLists(projectId),
    ticketKeys.lists(projectId),
  ]
  await Promise.all(keys.map(queryKey => queryClient.invalidateQueries({ queryKey })))
}

/** Returns false if the change failed, after showing the error. */
export async function changeOrganization(
  project_id: string,
  { id: organization_id }: Organization,
  body: OrganizationChange,
): Promise<boolean> {
  const params = { path: { project_id, organization_id } }
  try {
    await take(api.PATCH('/projects/{project_id}/organizations/{organization_id}', { params, body }))
    return true
  } catch (failure) {
    showFailure(asFailure(failure))
    return false
  } finally {
    void refreshOrganizations(project_id)
  }
}
