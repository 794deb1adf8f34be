import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure } from '../core/notice.ts'
import { queryClient } from '../core/query.ts'
import { ticketKeys } from '../tickets/query-keys.ts'
import type { Contact, ContactChange } from './queries.ts'
import { contactKeys } from './query-keys.ts'

/** Returns false if the change failed, after showing the error. */
export async function changeContact(contact: Contact, body: ContactChange): Promise<boolean> {
  const path = { project_id: contact.workspace_id, contact_id: contact.id }
  try {
    await take(api.PATCH('/projects/{project_id}/contacts/{contact_id}', { params: { path }, body }))
    return true
  } catch (failure) {
    showFailure(asFailure(failure))
    return false
  } finally {
    for (const list of [contactKeys.contacts, contactKeys.lists, ticketKeys.tickets, ticketKeys.lists])
      void queryClient.invalidateQueries({ queryKey: list(contact.workspace_id) })
  }
}
