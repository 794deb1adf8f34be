import type { Store } from '../../src/events/log.ts'
import { importTickets } from '../../src/imports/imports.ts'

const ticketsPerCall = 100

/** Imports open tickets of 200 contacts. Returns their ids. */
export async function makeTicketsIn(db: Store, projectId: string, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const length = Math.min(ticketsPerCall, count - ids.length)
    const items = Array.from({ length }, (_, n) => ({
      source_id: `${ids.length + n}`,
      subject: 'Where is it?',
      status: 'open' as const,
      contact: { source_id: `c${n % 200}`, email: `c${n % 200}@example.org` },
      created_at: '2026-01-15T10:30:00Z',
    }))
    const results = await importTickets(db, { projectId, source: 'bench' }, items)
    for (const { id } of results) if (id) ids.push(id)
  }
  await db`vacuum analyze`
  return ids
}
