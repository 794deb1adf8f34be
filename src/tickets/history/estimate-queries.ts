import { anyId, type Sql } from '../../core/db/db.ts'

/** Histories of tickets from before histories were written, made from the tickets and their system messages. */

/** The next tickets of a project, by id. */
export const listTicketsToEstimate = (sql: Sql, projectId: string, after: string, limit: number) => sql<
  { id: string }[]
>`
  select id from tickets where project_id = ${projectId} and id > ${after} order by id limit ${limit}`

/** Returns the last ticket that is done; null if nothing is left, or another process works on it. */
export async function lockEstimate(sql: Sql, projectId: string): Promise<string | null> {
  const [row] = await sql<{ done_until: string }[]>`
    select done_until from history_estimates where project_id = ${projectId} for update skip locked`
  return row?.done_until ?? null
}

export const updateEstimate = (sql: Sql, projectId: string, doneUntil: string) => sql`
  update history_estimates set done_until = ${doneUntil} where project_id = ${projectId}`

export const deleteEstimate = (sql: Sql, projectId: string) => sql`
  delete from history_estimates where project_id = ${projectId}`

/** Inserts the creation of the tickets whose history has none. Returns the ids of these tickets. */
export async function insertEstimatedCreations(
  sql: Sql,
  projectId: string,
  ids: string[],
): Promise<string[]> {
  const rows = await sql<{ ticket_id: string }[]>`
    insert into ticket_history (project_id, id, ticket_id, at, type, by, changes, is_estimated)
    select ${projectId}::uuid, gen_random_uuid(), t.id, t.created_at, 'ticket.created',
      case when t.channel = 'api' then '{"type": "api", "id": null, "name": null}'::jsonb
        else jsonb_build_object('type', 'contact', 'id', t.contact_id, 'name', null) end, '{}', true
    from tickets t
    where t.project_id = ${projectId} and t.id = ${anyId(sql, ids)} and not exists (
      select from ticket_history h where h.project_id = ${projectId} and h.ticket_id = t.id and h.type = 'ticket.created')
    returning ticket_id`
  return rows.map(({ ticket_id }) => ticket_id)
}

/** Inserts the assignments, transfers, closings and reopenings of which the tickets have system messages. */
export const insertEstimatedChanges = (sql: Sql, projectId: string, ids: string[]) => sql`
  insert into ticket_history (project_id, id, ticket_id, at, type, by, changes, is_estimated)
  select ${projectId}::uuid, gen_random_uuid(), m.ticket_id, m.created_at, k.type,
    '{"type": "system", "id": null, "name": null}'::jsonb || coalesce(
      m.system->'data'->'closed_by', jsonb_build_object('type', 'operator') || (m.system->'data'->'by'), '{}'),
    case k.type
      when 'ticket.closed' then '{"status": [null, "closed"]}'
      when 'ticket.reopened' then '{"status": ["closed", "open"]}'
      when 'ticket.transferred' then jsonb_build_object(
        'department_id', jsonb_build_array(null, m.system->'data'->'department_id'))
      else jsonb_build_object('operator_id', jsonb_build_array(
        m.system->'data'->'previous_operator_id', m.system->'data'->'operator_id')) end, true
  from messages m
  join (values ('ticket_closed', 'ticket.closed'), ('ticket_reopened', 'ticket.reopened'), ('ticket_assigned', 'ticket.assigned'),
    ('ticket_transferred', 'ticket.transferred'), ('ticket_force_taken', 'ticket.force_taken')) as k (kind, type)
    on k.kind = m.system->>'kind'
  where m.project_id = ${projectId} and m.ticket_id = ${anyId(sql, ids)} and m.sender_type = 'system'`

/** Inserts the last closing of closed tickets that have no system message about it. */
export const insertEstimatedClosings = (sql: Sql, projectId: string, ids: string[]) => sql`
  insert into ticket_history (project_id, id, ticket_id, at, type, by, changes, is_estimated)
  select ${projectId}::uuid, gen_random_uuid(), t.id, t.closed_at, 'ticket.closed',
    '{"type": "system", "id": null, "name": null}'::jsonb || coalesce(t.closed_by, '{}'), '{"status": [null, "closed"]}', true
  from tickets t
  where t.project_id = ${projectId} and t.id = ${anyId(sql, ids)} and t.closed_at is not null and not exists (
    select from ticket_history h where h.project_id = ${projectId} and h.ticket_id = t.id and h.type = 'ticket.closed'
      and h.at >= t.closed_at - interval '10 seconds')`
