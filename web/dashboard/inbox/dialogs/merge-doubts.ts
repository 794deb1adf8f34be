import { api, take } from '../../core/api.ts'
import { text } from '../../core/text.ts'
import type { Ticket } from '../../tickets/queries.ts'

/** Warnings about chat visitors who would not see the whole conversation after the merge. */
export async function listDoubts(source: Ticket, into: Ticket): Promise<string[]> {
  const params = {
    path: { project_id: source.workspace_id, ticket_id: source.id, into_ticket_id: into.id },
  }
  const address = '/projects/{project_id}/tickets/{ticket_id}/merge-readers/{into_ticket_id}'
  const { kept, merged } = await take(api.GET(address, { params }))
  return [
    ...(kept === 'own' ? [text.actions.mergeKept(into.short_id)] : []),
    ...(merged === 'nothing' ? [text.actions.mergeLost(source.short_id, into.short_id)] : []),
  ]
}
