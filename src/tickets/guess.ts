import { type Fragment, type Sql, unprepared } from '../core/db.ts'

/** Guesses that read nothing, or next to nothing: lists choose their way by them. */

/** How many rows the planner expects from its statistics. */
export async function guessRows(sql: Sql, from: Fragment, where: Fragment): Promise<number> {
  const [row] = await unprepared(sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }[]>`
    explain (format json) select from ${from} where ${where}`)
  return row!['QUERY PLAN'][0].Plan['Plan Rows']
}

/** How many tickets a project has: the last number that was given. */
export async function guessTickets(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<{ ticket_number: number }[]>`
    select ticket_number from project_counters where project_id = ${projectId}`
  return row!.ticket_number
}

/** What all projects have, as far as the statistics know. */
export async function guessAll(sql: Sql) {
  const [row] = await sql<{ messages: number; tickets: number }[]>`
    select greatest(m.reltuples, 1)::float8 as messages, greatest(t.reltuples, 1)::float8 as tickets
    from pg_class m, pg_class t where m.oid = 'messages'::regclass and t.oid = 'tickets'::regclass`
  return row!
}
