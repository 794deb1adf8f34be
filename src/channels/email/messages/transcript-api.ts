import type { Vault } from '../../../core/crypto.ts'
import { type Endpoint, endpoint } from '../../../core/endpoint.ts'
import { transact } from '../../../events/transaction.ts'
import { getSurvivor } from '../../../tickets/tickets.ts'
import { createTranscripts } from '../outgoing/transcript.ts'

export const transcriptEndpoint = (deps: { vault: Vault }): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/tickets/{ticket_id}/transcript',
    tag: 'E-mail',
    summary: 'Email a copy of the conversation to its contact',
    description:
      'The copy contains all public messages, and links to their files. It is sent from the mailbox for replies in the chat, or if none is chosen, from another mailbox that can send. A system message with `system.kind` `transcript_sent` records the copy and shows its delivery.',
    responses: { 204: null },
    errors: ['TICKET_NOT_FOUND', 'NOT_POSSIBLE'],
    run: ({ db, project, actor, params }) =>
      transact(db, project.id, async tx => {
        const { id } = await getSurvivor(tx, params.ticket_id!)
        await createTranscripts(deps)(
          tx,
          id,
          'name' in actor && actor.type === 'operator' ? { id: actor.id, name: actor.name } : null,
        )
        return null
      }),
  })
