import type { Sql } from '../core/db/db.ts'

export async function findMaintenance(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ maintenance: boolean }[]>`select maintenance from installation`
  return row?.maintenance ?? false
}

export interface ContactWays {
  has_chat: boolean
  /** The address of the mailbox that answers visitors of the chat, or of the oldest one. */
  email: string | null
}

export async function findContactWays(sql: Sql, projectId: string): Promise<ContactWays> {
  const [row] = await sql<ContactWays[]>`
    select coalesce((select (settings ->> 'is_on')::boolean from widgets where project_id = ${projectId}), false) as has_chat,
      (select m.address from mailboxes m
        left join reply_mailboxes r on r.project_id = ${projectId} and r.widget_mailbox_id = m.id
        where m.project_id = ${projectId} and m.state <> 'paused' and m.incoming <> 'none'
        order by r.widget_mailbox_id is null, m.created_at, m.id limit 1) as email`
  return row!
}
