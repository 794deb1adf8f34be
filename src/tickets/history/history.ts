import type { Sql } from '../../core/db/db.ts'
import { isId } from '../../core/ids.ts'
import { isReplacement, type TicketFieldChanges } from '../../events/field-changes.ts'
import { getTicketId } from '../../messages/messages.ts'
import { type ChangeRow, listHistory, listNamesById } from './history-queries.ts'
import type { HistoryItem, HistoryQuery, ShownFieldChange, TicketHistory } from './schema.ts'
import { findObstacle } from './undoable.ts'

/** The history of a ticket as it is shown, with the current names. */

const namedFields = ['operator_id', 'department_id', 'contact_id']

const listIdsIn = ({ by, changes }: ChangeRow): string[] => {
  const values = namedFields.flatMap(field => changes[field] ?? [])
  return [by.id, ...values].filter(value => typeof value === 'string' && isId(value)).map(String)
}

type Names = ReadonlyMap<string, string | null>

function toFieldChange(field: string, change: TicketFieldChanges[string], names: Names): ShownFieldChange {
  if (!isReplacement(change)) return { field, from: null, to: null, ...change }
  const [from, to] = change
  if (!namedFields.includes(field)) return { field, from, to }
  return {
    field,
    from,
    to,
    from_name: names.get(String(from)) ?? null,
    to_name: names.get(String(to)) ?? null,
  }
}

const toItem = ({ by, changes, ticket_id: _, ...row }: ChangeRow, names: Names): HistoryItem => ({
  ...row,
  by: { ...by, name: by.name ?? names.get(String(by.id)) ?? null },
  changes: Object.entries(changes).map(([field, change]) => toFieldChange(field, change, names)),
  can_undo: row.undone_at === null && findObstacle({ ...row, changes }) === null,
})

export async function readHistory(
  sql: Sql,
  projectId: string,
  reference: string,
  { limit = 50, before }: HistoryQuery,
): Promise<TicketHistory> {
  const ticketId = await getTicketId(sql, projectId, reference)
  if (before !== undefined && !isId(before)) return { items: [], has_more: false }
  const rows = await listHistory(sql, projectId, ticketId, limit, before ?? null)
  const names = await listNamesById(sql, projectId, [...new Set(rows.flatMap(listIdsIn))])
  return { items: rows.slice(0, limit).map(row => toItem(row, names)), has_more: rows.length > limit }
}
