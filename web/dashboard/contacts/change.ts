import { api, take } from '../core/api.ts'
import { asFailure } from '../core/failure.ts'
import { showFailure } from '../core/notice.ts'
import { queryClient } from '../core/query.ts'
import type { Contact, ContactChange } from './queries.ts'

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
    for (const name of ['contact', 'contacts', 'ticket', 'tickets'])
      void queryClient.invalidateQueries({ queryKey: [name, contact.workspace_id] })
  }
}
