import type { Readable } from 'node:stream'
import { allOf, conditionIf, timeRange } from '../../../core/db/conditions.ts'
import type { Fragment, Sql } from '../../../core/db/db.ts'
import type { Call } from '../../../core/endpoint.ts'
import { BriefError } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { type Listed, listPage } from '../../../core/paging/paging.ts'
import { dispositionOf, type Storages, serve } from '../../../media/media.ts'
import { findTicketId } from '../../../messages/messages.ts'
import {
  countIncomingMails,
  findIncomingMail,
  findIncomingMailIds,
  type IncomingMailRow,
  listIncomingMails,
  searchCondition,
  ticketCondition,
} from './mail-log-queries.ts'
import type { LoggedMail, LoggedMailDetails, MailLogQuery } from './mail-log-schema.ts'

const conditions = (
  sql: Sql,
  projectId: string,
  query: MailLogQuery,
  ticketId: string | null | undefined,
): Fragment =>
  allOf(sql, [
    sql`i.project_id = ${projectId}`,
    ...conditionIf(query.mailbox_id, id => (isId(id) ? sql`i.mailbox_id = ${id}` : sql`false`)),
    ...conditionIf(query.state, states => sql`i.state = any(${states}::text[])`),
    ...conditionIf(query.outcome, all => sql`i.outcome = any(${all}::text[])`),
    ...conditionIf(query.q, q => searchCondition(sql, q)),
    ...conditionIf(ticketId, id => (id ? ticketCondition(sql, projectId, id) : sql`false`)),
    ...timeRange(sql, sql`i.created_at`, query.created_after, query.created_before),
  ])

/** Lists received emails, newest first. */
export async function pageMailLog(
  sql: Sql,
  projectId: string,
  query: MailLogQuery,
): Promise<Listed<LoggedMail>> {
  const ticketId = query.ticket_id && (await findTicketId(sql, projectId, query.ticket_id))
  const where = conditions(sql, projectId, query, ticketId)
  return listPage(
    {
      sql,
      sort: {
        name: 'created_at',
        isDescending: true,
        column: sql`i.created_at`,
        id: sql`i.id`,
      },
      find: (condition, ordering) => findIncomingMailIds(sql, sql`${where} and ${condition}`, ordering),
      load: ids => listIncomingMails(sql, projectId, ids),
      count: limit => countIncomingMails(sql, where, limit),
    },
    query,
  )
}

async function getRow(sql: Sql, projectId: string, id: string): Promise<IncomingMailRow> {
  const row = isId(id) ? await findIncomingMail(sql, projectId, id) : null
  if (!row) throw new BriefError('mail_not_found')
  return row
}

export async function getLoggedMail(sql: Sql, projectId: string, id: string): Promise<LoggedMailDetails> {
  const { envelope_from, envelope_to, client, storage_key, ...row } = await getRow(sql, projectId, id)
  const envelope = {
    from: envelope_from,
    to: envelope_to,
    client_ip: client?.ip ?? null,
    client_name: client?.helo ?? null,
    is_secure: client?.is_secure ?? null,
  }
  return { ...row, envelope, has_raw: storage_key !== '' }
}

/** Sends the original email as a download. */
export async function serveRawMail(call: Call, storages: Storages, id: string): Promise<Readable | null> {
  const {
    subject,
    sha256,
    storage_key: key,
    bucket_id,
    size,
    is_partial,
  } = await getRow(call.db, call.project.id, id)
  if (!key) throw new BriefError('file_not_found')
  const file = {
    key,
    etag: `"${sha256}"`,
    type: 'message/rfc822',
    disposition: dispositionOf(`${subject || 'email'}.eml`, false),
    // `size` is that of the whole email, of which only a part may be stored.
    size: is_partial ? null : size,
  }
  return serve(call, storages, bucket_id, file, 'same-origin')
}
