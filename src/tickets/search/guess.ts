import { type Fragment, type Sql, unprepared } from '../../core/db/db.ts'

/** Estimates that read almost no rows. Lists choose a strategy by them. */

/** The number of rows that the planner expects from its statistics. */
export async function guessRows(sql: Sql, from: Fragment, where: Fragment): Promise<number> {
  const [row] = await unprepared(sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]>`
    explain (format json) select from ${from} where ${where}`)
  return row!['QUERY PLAN'][0].Plan['Plan Rows']
}

/** The number of tickets of a project, by its last ticket number. */
export async function guessTickets(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<{ ticket_number: number }[]>`
    select ticket_number from project_counters where project_id = ${projectId}`
  return row!.ticket_number
}

/** The numbers of messages and tickets of all projects, according to the statistics. */
export async function guessAll(sql: Sql) {
  const [row] = await sql<{ messages: number; tickets: number }[]>`
    select greatest(m.reltuples, 1)::float8 as messages, greatest(t.reltuples, 1)::float8 as tickets
    from pg_class m, pg_class t where m.oid = 'messages'::regclass and t.oid = 'tickets'::regclass`
  return row!
}
