import type { Fragment, Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { newId } from '../core/ids.ts'
import { propertyOf } from '../core/objects.ts'
import { joinChanges, type TicketFieldChanges } from './field-changes.ts'
import type { LoggedEvent } from './log.ts'

/** The permanent history of tickets, which is written together with the events of a change: decision 74. */

/** Who changed something. Operators have the name that they have at that time. Other names are looked up when they are shown. */
export interface ChangedBy {
  type: 'operator' | 'api' | 'contact' | 'system'
  id: string | null
  name: string | null
}

export const changedBySystem: ChangedBy = { type: 'system', id: null, name: null }

export const changedBy = ({ actor }: Pick<Caller, 'actor'>): ChangedBy => ({
  type: actor.type,
  id: actor.id,
  name: actor.type === 'operator' ? actor.name : null,
})

export interface TicketChanges {
  ticketId: string
  by: ChangedBy
  changes: TicketFieldChanges
  /** Recorded even without changes. */
  isCreation?: boolean
  /** The id of the change that this one undoes. */
  undoes?: string
}

/** The changes of a transaction. What one author changes in a ticket becomes one row. */
export class RecordedChanges {
  readonly #byAuthor = new Map<string, TicketChanges>()

  add(one: TicketChanges): void {
    const key = `${one.ticketId} ${one.by.type} ${one.by.id}`
    const before = this.#byAuthor.get(key)
    const joined = before && { ...before, ...one, changes: joinChanges(before.changes, one.changes) }
    this.#byAuthor.set(key, joined ?? one)
  }

  list(): TicketChanges[] {
    return [...this.#byAuthor.values()].filter(
      ({ changes, isCreation }) => isCreation || Object.keys(changes).length > 0,
    )
  }
}

/** The most specific event of a change: the first other than `ticket.updated`. */
const mainEvent = (events: LoggedEvent[]): LoggedEvent | undefined =>
  events.find(({ type }) => type !== 'ticket.updated') ?? events[0]

const listIds = (events: LoggedEvent[]): string[] => events.map(({ id }) => id)

/** Assigns events to the changes of their ticket. */
export function toHistoryRows(recorded: TicketChanges[], events: LoggedEvent[], runId: string | null) {
  const byTicket = Map.groupBy(
    events.filter(({ type }) => type.startsWith('ticket.')),
    ({ data }) => propertyOf(data, 'ticket_id'),
  )
  return recorded.map(({ ticketId, by, changes, undoes }) => {
    const own = byTicket.get(ticketId) ?? []
    byTicket.delete(ticketId)
    const main = mainEvent(own)
    return {
      id: newId(),
      ticket_id: ticketId,
      event_id: main?.id ?? null,
      event_ids: listIds(own),
      type: main?.type ?? 'ticket.updated',
      by,
      changes,
      run_id: runId,
      undoes: undoes ?? null,
    }
  })
}

export type HistoryRow = ReturnType<typeof toHistoryRows>[number]

/** A CTE after `stamp`, or nothing if there is nothing to write. */
export const insertHistoryCte = (sql: Sql, projectId: string, rows: HistoryRow[]): Fragment =>
  rows.length
    ? sql`, recorded as (
        insert into ticket_history (project_id, id, ticket_id, event_id, event_ids, at, type, by, changes, run_id, undoes)
        select ${projectId}::uuid, h.id, h.ticket_id, h.event_id, h.event_ids, stamp.at, h.type, h.by, h.changes, h.run_id, h.undoes
        from stamp, json_to_recordset(${JSON.stringify(rows)}::text::json) as h (id uuid, ticket_id uuid, event_id uuid,
          event_ids uuid[], type text, by jsonb, changes jsonb, run_id uuid, undoes uuid)
      )`
    : sql``
