import type { Sql } from '../core/db/db.ts'

/** The number of imported messages of each ticket, by the `source_id` of the ticket. Tickets that were not imported are absent. */
export async function countImportedMessages(
  sql: Sql,
  projectId: string,
  source: string,
  ticketIds: string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ source_id: string; count: number }[]>`
    select t.source_id, count(r.record_id)::int as count from imported_records t
    left join messages m on m.project_id = ${projectId} and m.ticket_id = t.record_id
    left join imported_records r on r.project_id = ${projectId} and r.source = ${source} and r.kind = 'message'
      and r.record_id = m.id
    where t.project_id = ${projectId} and t.source = ${source} and t.kind = 'ticket' and t.source_id = any(${ticketIds}::text[])
    group by t.source_id`
  return new Map(rows.map(({ source_id, count }) => [source_id, count]))
}
