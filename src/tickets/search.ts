import { getContact } from '../contacts/contacts.ts'
import { allOf, timeRange, when } from '../core/conditions.ts'
import type { Fragment, Sql } from '../core/db.ts'
import { isId } from '../core/ids.ts'
import { type Listed, listPage } from '../core/paging.ts'
import { loadTickets } from './find.ts'
import { countTickets, estimateMessages, findTicketIds } from './queries.ts'
import type { Ticket, TicketQuery } from './schema.ts'

/** A column that holds one of some ids; `none` is the empty one, and a word that is no id holds nothing. */
function oneOf(sql: Sql, column: Fragment, sent: string[]): Fragment {
  const isOne = sql`${column} = any(${sent.filter(isId) as never}::uuid[])`
  return (sent.includes('none') ? sql`(${column} is null or ${isOne})` : isOne) as Fragment
}

/** One word is compared directly, so that an index on it also gives the order. */
const wordOf = (sql: Sql, column: Fragment, sent: string[]): Fragment =>
  (sent.length === 1
    ? sql`${column} = ${sent[0]!}`
    : sql`${column} = any(${sent as never}::text[])`) as Fragment

const fields = (sql: Sql, query: TicketQuery): Fragment[] => [
  ...when(query.status, sent => wordOf(sql, sql`t.status` as Fragment, sent)),
  ...when(query.priority, sent => wordOf(sql, sql`t.priority` as Fragment, sent)),
  ...when(query.channel, sent => wordOf(sql, sql`t.channel` as Fragment, sent)),
  ...when(query.tag, sent => sql`t.tags && ${sent as never}::text[]` as Fragment),
  ...when(query.contact_id, sent => oneOf(sql, sql`t.contact_id` as Fragment, sent)),
  ...when(query.operator_id, sent => oneOf(sql, sql`t.operator_id` as Fragment, sent)),
  ...when(query.department_id, sent => oneOf(sql, sql`t.department_id` as Fragment, sent)),
  ...when(query.external_id, sent => sql`t.external_id = ${sent}` as Fragment),
  (query.is_spam ? sql`t.is_spam` : sql`not t.is_spam`) as Fragment,
]

const times = (sql: Sql, query: TicketQuery): Fragment[] => [
  ...timeRange(sql, sql`t.created_at` as Fragment, query.created_after, query.created_before),
  ...timeRange(sql, sql`a.updated_at` as Fragment, query.updated_after, query.updated_before),
  ...timeRange(sql, sql`t.closed_at` as Fragment, query.closed_after, query.closed_before),
]

/** Above this many expected matches, walking tickets in order and asking each is faster than reading all matches. */
const commonWord = 250_000

/** Rare words are read from the index; for common ones each ticket of the order is asked until the page is full. */
async function matching(sql: Sql, projectId: string, q: string | undefined): Promise<Fragment[]> {
  if (q === undefined) return []
  const words = sql`plainto_tsquery('simple', ${q})`
  if ((await estimateMessages(sql, q)) > commonWord) {
    return [
      sql`(t.search @@ ${words} or exists (select from messages m
        where m.project_id = ${projectId} and m.ticket_id = t.id and m.search @@ ${words}))` as Fragment,
    ]
  }
  return [
    sql`t.id in (
      select ticket_id from messages where project_id = ${projectId} and search @@ ${words}
      union select id from tickets where project_id = ${projectId} and search @@ ${words})` as Fragment,
  ]
}

const sortColumns: Record<string, (sql: Sql) => Fragment> = {
  created_at: sql => sql`t.created_at` as Fragment,
  updated_at: sql => sql`a.updated_at` as Fragment,
  last_message_at: sql => sql`a.last_message_at` as Fragment,
}

const joined = (sql: Sql): Fragment =>
  sql`tickets t join ticket_activity a on a.project_id = t.project_id and a.ticket_id = t.id` as Fragment

export async function searchTickets(
  sql: Sql,
  projectId: string,
  query: TicketQuery,
): Promise<Listed<Ticket>> {
  const sort = query.sort ?? '-created_at'
  const name = sort.replace('-', '')
  const column = sortColumns[name]!(sql)
  const alone = sql`tickets t` as Fragment
  const asksActivity = query.updated_after !== undefined || query.updated_before !== undefined
  const sortsActivity = name !== 'created_at'
  // Ordering by the activity, its own project and id let its index give the order.
  const side = (
    sortsActivity ? sql`a.project_id = ${projectId}` : sql`t.project_id = ${projectId}`
  ) as Fragment
  const found = [...fields(sql, query), ...times(sql, query), ...(await matching(sql, projectId, query.q))]
  const where = allOf(sql, [side, ...found])
  const counted = allOf(sql, [sql`t.project_id = ${projectId}` as Fragment, ...found])
  const from = sortsActivity || asksActivity ? joined(sql) : alone
  return listPage(
    {
      sql,
      sort: {
        name,
        isDescending: sort.startsWith('-'),
        column,
        id: (sortsActivity ? sql`a.ticket_id` : sql`t.id`) as Fragment,
        isNullable: name === 'last_message_at',
      },
      find: (condition, ordering) =>
        findTicketIds(sql, from, sql`${where} and ${condition}` as Fragment, column, ordering),
      load: ids => loadTickets(sql, projectId, ids),
      count: limit => countTickets(sql, asksActivity ? joined(sql) : alone, counted, limit),
    },
    query,
  )
}

export async function listContactTickets(sql: Sql, projectId: string, reference: string, query: TicketQuery) {
  const { id } = await getContact(sql, projectId, reference)
  return searchTickets(sql, projectId, { ...query, contact_id: [id] })
}
