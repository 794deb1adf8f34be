import { allOf, conditionIf, timeRange } from '../core/db/conditions.ts'
import { type Fragment, type Sql, unprepared } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type Listed, listPage } from '../core/paging/paging.ts'
import { ticketLinks } from '../events/envelope.ts'
import { type DbOrTx, type Tx, transactAndRead } from '../events/transaction.ts'
import {
  changedAt,
  countMessages,
  findMessage,
  findMessageIds,
  findTicketId,
  listMessages,
  type MessageRow,
} from './queries.ts'
import { renderContent } from './render.ts'
import type { AnyMessageQuery, Message, MessageQuery } from './schema.ts'

export function toMessage(row: MessageRow): Message {
  const { delivery_status, delivery_error, delivery_attempts, delivery_updated_at, content_html, ...fields } =
    row
  return {
    ...fields,
    content_html: content_html ?? renderContent(row.content, row.content_format),
    delivery: {
      status: delivery_status,
      error: delivery_error,
      attempts: delivery_status === 'scheduled' ? 0 : delivery_attempts,
      updated_at: delivery_updated_at,
    },
    _links: { self: `/api/v1/messages/${row.id}`, ...ticketLinks(row.ticket_id) },
  }
}

/** The id of the ticket in a path, which may be an id or a number. */
export async function getTicketId(sql: Sql, projectId: string, reference: string): Promise<string> {
  const id = await findTicketId(sql, projectId, reference)
  if (!id) throw new ApiError('TICKET_NOT_FOUND')
  return id
}

/** Like `getTicketId`, without checking that an id exists, for callers that read or lock the ticket next. */
export const toTicketId = async (sql: Sql, projectId: string, reference: string): Promise<string> =>
  isId(reference) ? reference : getTicketId(sql, projectId, reference)

export async function getMessage(sql: Sql, projectId: string, id: string): Promise<Message> {
  const row = isId(id) ? await findMessage(sql, projectId, id) : null
  if (!row) throw new ApiError('MESSAGE_NOT_FOUND')
  return toMessage(row)
}

/** The messages with these ids, in this order. */
export async function listGivenMessages(sql: Sql, projectId: string, ids: string[]): Promise<Message[]> {
  const rows = ids.length ? await listMessages(sql, projectId, ids) : []
  const messages = new Map(rows.map(row => [row.id, toMessage(row)]))
  return ids.flatMap(id => messages.get(id) ?? [])
}

/** Runs a change that returns the id of a message, and returns that message. */
export const changeAndGetMessage = (
  store: DbOrTx,
  projectId: string,
  change: (tx: Tx) => Promise<string>,
): Promise<Message> => transactAndRead(store, projectId, change, (tx, id) => getMessage(tx, projectId, id))

/** Condition for messages before or after a given one. Throws MESSAGE_NOT_FOUND if that one does not exist. */
async function beside(
  sql: Sql,
  projectId: string,
  id: string | undefined,
  compare: Fragment,
): Promise<Fragment[]> {
  if (id === undefined) return []
  const { created_at } = await getMessage(sql, projectId, id)
  return [sql`(m.created_at, m.id) ${compare} (${`${created_at}Z`}::timestamptz, ${id}::uuid)`]
}

const filters = (
  sql: Sql,
  { sender_type, delivery_status, is_internal }: MessageQuery | AnyMessageQuery,
): Fragment[] => [
  ...conditionIf(sender_type, types => sql`m.sender_type = any(${types}::text[])`),
  ...conditionIf(delivery_status, words => sql`m.delivery_status = any(${words}::text[])`),
  ...conditionIf(is_internal, on => sql`m.is_internal = ${on}`),
]

async function conditions(
  sql: Sql,
  projectId: string,
  ticketId: string,
  query: MessageQuery,
): Promise<Fragment[]> {
  return [
    sql`m.project_id = ${projectId} and m.ticket_id = ${ticketId}`,
    ...filters(sql, query),
    ...(await beside(sql, projectId, query.after_id, sql`>`)),
    ...(await beside(sql, projectId, query.before_id, sql`<`)),
  ]
}

export async function listTicketMessages(
  sql: Sql,
  projectId: string,
  reference: string,
  query: MessageQuery,
): Promise<Listed<Message>> {
  const ticketId = await getTicketId(sql, projectId, reference)
  const where = allOf(sql, await conditions(sql, projectId, ticketId, query))
  const column = sql`m.created_at`
  return listPage(
    {
      sql,
      of: ticketId,
      sort: {
        name: 'created_at',
        isDescending: query.order === 'desc',
        column,
        id: sql`m.id`,
      },
      find: (condition, ordering) => findMessageIds(sql, sql`${where} and ${condition}`, column, ordering),
      load: async ids => (await listMessages(sql, projectId, ids)).map(toMessage),
      count: limit => countMessages(sql, where, limit),
    },
    query,
  )
}

/** Scheduled messages may be withdrawn without a trace, so the list has them only after they are sent, unless the query asks for them. */
const sentUnlessAsked = (sql: Sql, { delivery_status }: AnyMessageQuery): Fragment[] =>
  delivery_status ? [] : [sql`m.delivery_status <> 'scheduled'`]

/** All messages of a project, by the time of their last change, so that programs can follow them without missing any. */
export function searchMessages(
  sql: Sql,
  projectId: string,
  query: AnyMessageQuery,
): Promise<Listed<Message>> {
  const column = changedAt(sql)
  const where = allOf(sql, [
    sql`m.project_id = ${projectId}`,
    ...filters(sql, query),
    ...sentUnlessAsked(sql, query),
    ...timeRange(sql, column, query.updated_after, query.updated_before),
  ])
  const isDescending = query.sort === '-updated_at'
  return listPage(
    {
      sql,
      sort: { name: 'updated_at', isDescending, column, id: sql`m.id` },
      find: (condition, ordering) =>
        unprepared(findMessageIds(sql, sql`${where} and ${condition}`, column, ordering)),
      load: async ids => (await listMessages(sql, projectId, ids)).map(toMessage),
      count: limit => countMessages(sql, where, limit),
    },
    query,
  )
}
