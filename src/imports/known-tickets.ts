import { lockActivities } from '../events/activity.ts'
import type { ImportRun } from './run.ts'
import { type KnownTicket, listKnownTickets } from './ticket-queries.ts'

/** Locks the tickets with these ids. Until the commit, nobody can merge them or add messages to them. */
export async function lockKnownTickets({ tx }: ImportRun, ids: string[]): Promise<KnownTicket[]> {
  if (!ids.length) return []
  const locked = new Set<string>()
  for (;;) {
    const rows = await listKnownTickets(tx, tx.projectId, ids)
    const others = new Set(rows.flatMap(({ id, place_id }) => [id, place_id])).difference(locked)
    if (others.size === 0) return rows
    await lockActivities(tx, tx.projectId, [...others])
    for (const id of others) locked.add(id)
  }
}

/** The ticket to which messages of this ticket are added. */
export const placeOf = ({ id, channel, contact_id, place_id }: KnownTicket) => ({
  ticket_id: place_id,
  channel,
  contact_id,
  moved_from: place_id === id ? null : id,
})
