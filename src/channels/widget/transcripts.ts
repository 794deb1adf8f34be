import type { Call } from '../../core/endpoint.ts'
import { ApiError } from '../../core/errors.ts'
import { type Tx, transact } from '../../events/transaction.ts'
import { spendAddressBudget } from '../../limits/rate-limit.ts'
import type { ChatDeps } from './deps.ts'
import { lockVisitor } from './queries.ts'
import { getTicketSeenBy } from './tickets.ts'
import { requireUnblocked, type Visitor } from './visitor.ts'

/** Sends a copy of a conversation to its contact's address. The email channel implements this. */
export type RequestTranscript = (tx: Tx, ticketId: string, by: null) => Promise<void>

/** The copy is sent only to the ticket's contact, never to an address in the request. */
export async function requestTranscript(
  { limiter, config, sendTranscript }: Pick<ChatDeps, 'limiter' | 'config' | 'sendTranscript'>,
  { db, project, request }: Call,
  { id }: Visitor,
  ticketId: string,
): Promise<null> {
  await spendAddressBudget(limiter, 'transcripts', request.ip, config.visitorsPerIp)
  return transact(db, project.id, async tx => {
    const visitor = await lockVisitor(tx, project.id, id)
    if (!visitor) throw new ApiError('VISITOR_UNKNOWN')
    const { owner } = await getTicketSeenBy(tx, project.id, visitor, ticketId)
    requireUnblocked(owner)
    await sendTranscript(tx, owner.id, null)
    return null
  })
}
