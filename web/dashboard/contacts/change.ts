import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure } from '../core/notice.ts'
import { queryClient } from '../core/query.ts'
import { organizationKeys } from '../organizations/query-keys.ts'
import { ticketKeys } from '../tickets/query-keys.ts'
import type { Contact, ContactChange } from './queries.ts'
import { contactKeys } from './query-keys.ts'

/** Refreshes everything that shows a project's contacts. */
export function refreshContacts(projectId: string): void {
  for (const list of [
    contactKeys.contacts,
    contactKeys.lists,
    contactKeys.ticketLists,
    organizationKeys.lists,
    organizationKeys.organizations,
    ticketKeys.tickets,
    ticketKeys.lists,
  ])
    void queryClient.invalidateQueries({ queryKey: list(projectId) })
}

/** Returns false if the change failed, after showing the error. */
export async function tryChange(projectId: string, change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (failure) {
    showFailure(asFailure(failure))
    return false
  } finally {
    refreshContacts(projectId)
  }
}

export const changeContact = (contact: Contact, body: ContactChange): Promise<boolean> => {
  const path = { project_id: contact.workspace_id, contact_id: contact.id }
  return tryChange(contact.workspace_id, () =>
    take(api.PATCH('/projects/{project_id}/contacts/{contact_id}', { params: { path }, body })),
  )
}
