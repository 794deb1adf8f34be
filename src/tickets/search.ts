import { getContact } from '../contacts/contacts.ts'
import { allOf } from '../core/conditions.ts'
import type { Fragment, Sql } from '../core/db.ts'
import { type Listed, listPage } from '../core/paging.ts'
import { activityFilters, fieldFilters, movedSince, timeFilters } from './filters.ts'
import { loadTickets } from './find.ts'
import { countTickets, findTicketIds, type Selection } from './queries.ts'
import type { Ticket, TicketQuery } from './schema.ts'
import { searchWords } from './words.ts'

const sortColumns: Record<string, (sql: Sql) => Fragment> = {
  created_at: sql => sql`t.created_at` as Fragment,
  updated_at: sql => sql`a.updated_at` as Fragment,
  last_message_at: sql => sql`a.last_message_at` as Fragment,
}

const joined = (sql: Sql): Fragment =>
  sql`tickets t join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id` as Fragment

/** Counting walks the activity's own index and asks each ticket, where the planner would read both tables. */
const activityFirst = (sql: Sql, projectId: string, activity: Fragment[]): Fragment =>
  sql`(select a.ticket_id from ticket_activity a
    where ${allOf(sql, [sql`a.project_id = ${projectId}` as Fragment, ...activity])} order by a.updated_at desc) a
    join lateral (select * from tickets t where t.project_id = ${projectId} and t.id = a.ticket_id limit 1) t
      on true` as Fragment

/** What a list's query selects, before words are searched for. */
function select(sql: Sql, projectId: string, query: TicketQuery): Selection {
  const order = query.sort ?? '-created_at'
  const name = order.replace('-', '')
  const sortsActivity = name !== 'created_at'
  const own = [...fieldFilters(sql, query), ...timeFilters(sql, query)]
  const activity = activityFilters(sql, query)
  const ofTickets = sql`t.project_id = ${projectId}` as Fragment
  // Ordering by the activity, its own project and id let its index give the order.
  const ofOrder = sortsActivity ? (sql`a.project_id = ${projectId}` as Fragment) : ofTickets
  const tickets = sql`tickets t` as Fragment
  return {
    from: sortsActivity || activity.length ? joined(sql) : tickets,
    where: allOf(sql, [
      ofOrder,
      ...own,
      ...activity,
      ...(name === 'updated_at' ? movedSince(sql, query) : []),
    ]),
    countFrom: activity.length ? activityFirst(sql, projectId, activity) : tickets,
    countWhere: allOf(sql, [ofTickets, ...own]),
    sort: {
      name,
      isDescending: order.startsWith('-'),
      column: sortColumns[name]!(sql),
      id: (sortsActivity ? sql`a.ticket_id` : sql`t.id`) as Fragment,
      isNullable: name === 'last_message_at',
    },
  }
}

export async function searchTickets(
  sql: Sql,
  projectId: string,
  query: TicketQuery,
): Promise<Listed<Ticket>> {
  const selection = select(sql, projectId, query)
  const { from, where, countFrom, countWhere, sort } = selection
  const words = query.q === undefined ? null : await searchWords(sql, projectId, query.q, selection)
  return listPage(
    {
      sql,
      sort,
      load: ids => loadTickets(sql, projectId, ids),
      ...(words ?? {
        find: (condition, ordering) =>
          findTicketIds(sql, from, sql`${where} and ${condition}` as Fragment, sort.column, ordering),
        count: limit => countTickets(sql, countFrom, countWhere, limit),
      }),
    },
    query,
  )
}

export async function listContactTickets(sql: Sql, projectId: string, reference: string, query: TicketQuery) {
  const { id } = await getContact(sql, projectId, reference)
  return searchTickets(sql, projectId, { ...query, contact_id: [id] })
}
