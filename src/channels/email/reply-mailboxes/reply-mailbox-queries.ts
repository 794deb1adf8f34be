import type { Sql } from '../../../core/db/db.ts'
import type { ReplyMailboxes } from './reply-mailbox-schema.ts'

/** Queries of the mailboxes that send replies in tickets of other channels. */

const unset: ReplyMailboxes = { widget_mailbox_id: null, widget_after_minutes: 5, api_mailbox_id: null }

export async function findReplyMailboxes(sql: Sql, projectId: string): Promise<ReplyMailboxes> {
  const [row] = await sql<ReplyMailboxes[]>`
    select widget_mailbox_id, widget_after_minutes, api_mailbox_id from reply_mailboxes where project_id = ${projectId}`
  return row ?? unset
}

/** Locks the settings, and creates them if there are none. */
export async function lockReplyMailboxes(sql: Sql, projectId: string): Promise<ReplyMailboxes> {
  await sql`insert into reply_mailboxes (project_id) values (${projectId}) on conflict do nothing`
  const [row] = await sql<ReplyMailboxes[]>`
    select widget_mailbox_id, widget_after_minutes, api_mailbox_id from reply_mailboxes
    where project_id = ${projectId} for no key update`
  return row!
}

export const updateReplyMailboxes = (sql: Sql, projectId: string, fields: ReplyMailboxes) => sql`
  update reply_mailboxes set ${sql(fields)} where project_id = ${projectId}`
