import { anyId, type Fragment, type Sql } from '../../core/db/db.ts'
import type { TicketFieldChanges } from '../../events/field-changes.ts'
import type { ChangedBy } from '../../events/ticket-history.ts'
import type { CurrentFields } from './undo-plan.ts'
import { plainFields, statusFields } from './undoable.ts'

export interface ChangeRow {
  id: string
  ticket_id: string
  event_id: string | null
  type: string
  at: string
  by: ChangedBy
  changes: TicketFieldChanges
  run_id: string | null
  undoes: string | null
  undone_at: string | null
  is_estimated: boolean
}

const columns = (sql: Sql): Fragment =>
  sql`id, ticket_id, event_id, type, at, by, changes, run_id, undoes, undone_at, is_estimated`

/** A bulk action, or only its changes to some tickets. */
export interface RunKey {
  run_id: string
  ticket_ids: string[] | null
}

/** Newest first, one more than the limit if there are more. */
export const listHistory = (
  sql: Sql,
  projectId: string,
  ticketId: string,
  limit: number,
  before: string | null,
) => sql<ChangeRow[]>`
  select ${columns(sql)} from ticket_history
  where project_id = ${projectId} and ticket_id = ${ticketId} and (${before}::uuid is null or (at, id) < (
    select b.at, b.id from ticket_history b
    where b.project_id = ${projectId} and b.ticket_id = ${ticketId} and b.id = ${before}::uuid))
  order by at desc, id desc limit ${limit + 1}`

/** The names of operators, departments, contacts and keys by their ids. */
export async function listNamesById(
  sql: Sql,
  projectId: string,
  ids: string[],
): Promise<Map<string, string | null>> {
  if (!ids.length) return new Map()
  const rows = await sql<{ id: string; name: string | null }[]>`
    select id, name from operators where project_id = ${projectId} and id = ${anyId(sql, ids)}
    union all select id, name from departments where project_id = ${projectId} and id = ${anyId(sql, ids)}
    union all select id, full_name from contacts where project_id = ${projectId} and id = ${anyId(sql, ids)}
    union all select id, name from api_keys where project_id = ${projectId} and id = ${anyId(sql, ids)}`
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** By its id, or by the id of one of its events. */
export async function findChange(
  sql: Sql,
  projectId: string,
  ticketId: string,
  id: string,
): Promise<ChangeRow | null> {
  const [row] = await sql<ChangeRow[]>`
    select ${columns(sql)} from ticket_history
    where project_id = ${projectId} and ticket_id = ${ticketId} and (id = ${id} or ${id} = any(event_ids))
    order by at, id limit 1`
  return row ?? null
}

/** The changes to the same tickets that are later than these, oldest first. */
export const listLaterChanges = (sql: Sql, projectId: string, changes: ChangeRow[]) => sql<ChangeRow[]>`
  select ${columns(sql)} from ticket_history h
  where h.project_id = ${projectId} and h.ticket_id = ${anyId(
    sql,
    changes.map(({ ticket_id }) => ticket_id),
  )}
    and (h.at, h.id) > (
      select b.at, b.id from ticket_history b where b.project_id = ${projectId} and b.ticket_id = h.ticket_id
        and b.id = ${anyId(
          sql,
          changes.map(({ id }) => id),
        )} order by b.at, b.id limit 1)
  order by at, id`

/** Marks a change as undone, or as effective again. Returns the change that it had undone, if any. */
export async function updateUndone(
  sql: Sql,
  projectId: string,
  id: string,
  undoneAt: string | null,
): Promise<string | null> {
  const [row] = await sql<{ undoes: string | null }[]>`
    update ticket_history set undone_at = ${undoneAt} where project_id = ${projectId} and id = ${id} returning undoes`
  return row?.undoes ?? null
}

/** The values of locked tickets that a change may have written. */
export const listCurrentFields = (sql: Sql, projectId: string, ids: string[]) => sql<
  (CurrentFields & { id: string })[]
>`
  select ${sql(['id', ...statusFields, ...plainFields, 'tags', 'custom_fields'])} from tickets
  where project_id = ${projectId} and id = ${anyId(sql, ids)}`

/** The newest change to each ticket in a bulk action that has not been undone yet. */
export const listRunChanges = (sql: Sql, projectId: string, run: RunKey, limit: number) => sql<ChangeRow[]>`
  select distinct on (ticket_id) ${columns(sql)} from ticket_history
  where project_id = ${projectId} and run_id = ${run.run_id} and undone_at is null and not was_undo_tried
    and (${run.ticket_ids === null} or ticket_id = ${anyId(sql, run.ticket_ids ?? [])})
  order by ticket_id, at desc, id desc limit ${limit}`

export async function countRunChanges(sql: Sql, projectId: string, run: RunKey): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from ticket_history
    where project_id = ${projectId} and run_id = ${run.run_id} and undone_at is null and not was_undo_tried
      and (${run.ticket_ids === null} or ticket_id = ${anyId(sql, run.ticket_ids ?? [])})`
  return row!.count
}

/** Marks changes of a bulk action after an attempt to undo them. */
export const updateUndoTried = (
  sql: Sql,
  projectId: string,
  tried: string[],
  undone: string[],
  at: string,
) => sql`
  update ticket_history set was_undo_tried = true,
    undone_at = case when id = ${anyId(sql, undone)} then ${at}::timestamptz else undone_at end
  where project_id = ${projectId} and id = ${anyId(sql, tried)}`
