import type { Db } from '../../core/db/db.ts'
import { ApiError, refuse } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { createVisitorTabUpdates, type VisitorTabState } from './tabs.ts'
import { getTicketSeenBy } from './tickets.ts'
import type { Visitor } from './visitor.ts'

/** What a visitor's tab shows. Operators see who is in the chat and who is typing, and visitors who are present are not notified of replies. */

const tabWriters = new WeakMap<Db, (sight: VisitorTabState) => Promise<boolean>>()

async function write(db: Db, sight: VisitorTabState): Promise<null> {
  if (!isId(sight.tab)) throw refuse('tab', 'not_found')
  const show = tabWriters.get(db) ?? createVisitorTabUpdates(db)
  tabWriters.set(db, show)
  if (!(await show(sight))) throw new ApiError('TAB_NOT_OPEN')
  return null
}

interface Shown {
  tab: string
  is_watching: boolean
  ticket_id: string | null
}

export async function showTabState(db: Db, projectId: string, visitor: Visitor, sight: Shown): Promise<null> {
  const report = (shown: Shown) => write(db, { projectId, visitorId: visitor.id, ...shown, is_typing: null })
  if (sight.ticket_id !== null)
    await getTicketSeenBy(db, projectId, visitor, sight.ticket_id).catch(async error => {
      // Otherwise operators would still see the visitor in a ticket that no longer belongs to them.
      await report({ ...sight, ticket_id: null })
      throw error
    })
  return report(sight)
}

export async function showTyping(
  db: Db,
  projectId: string,
  visitor: Visitor,
  ticketId: string,
  { tab, is_typing }: { tab: string; is_typing: boolean },
): Promise<null> {
  await getTicketSeenBy(db, projectId, visitor, ticketId)
  return write(db, {
    projectId,
    visitorId: visitor.id,
    tab,
    is_watching: null,
    ticket_id: ticketId,
    is_typing,
  })
}
