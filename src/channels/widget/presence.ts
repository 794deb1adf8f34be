import type { Db } from '../../core/db.ts'
import { ApiError, refuse } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import { createSights, type Sight } from './tabs.ts'
import { getSeen } from './tickets.ts'
import type { Visitor } from './visitor.ts'

/** What a visitor's tab shows. Operators see who is in the chat and who is typing, and visitors who are present are not notified of replies. */

const writers = new WeakMap<Db, (sight: Sight) => Promise<boolean>>()

async function write(db: Db, sight: Sight): Promise<null> {
  if (!isId(sight.tab)) throw refuse('tab', 'not_found')
  const show = writers.get(db) ?? createSights(db)
  writers.set(db, show)
  if (!(await show(sight))) throw new ApiError('TAB_NOT_OPEN')
  return null
}

interface Shown {
  tab: string
  is_watching: boolean
  ticket_id: string | null
}

export async function showSight(db: Db, projectId: string, visitor: Visitor, sight: Shown): Promise<null> {
  const say = (shown: Shown) => write(db, { projectId, visitorId: visitor.id, ...shown, is_typing: null })
  if (sight.ticket_id !== null)
    await getSeen(db, projectId, visitor, sight.ticket_id).catch(async error => {
      // Otherwise operators would still see the visitor in a ticket that no longer belongs to them.
      await say({ ...sight, ticket_id: null })
      throw error
    })
  return say(sight)
}

export async function showTyping(
  db: Db,
  projectId: string,
  visitor: Visitor,
  ticketId: string,
  { tab, is_typing }: { tab: string; is_typing: boolean },
): Promise<null> {
  await getSeen(db, projectId, visitor, ticketId)
  return write(db, {
    projectId,
    visitorId: visitor.id,
    tab,
    is_watching: null,
    ticket_id: ticketId,
    is_typing,
  })
}
