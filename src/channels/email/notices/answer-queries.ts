import type { Db, Sql } from '../../../core/db/db.ts'

/** Queries of the notices that operators can reply to by email. */

export interface NoticeEmail {
  id: string
  operator_id: string
  ticket_id: string
  is_internal: boolean
  content: string
  is_answered: boolean
  created_at: string
}

/** The operator can reply from now on. If the email is sent again, the first attempt still decides what a reply becomes. */
export const insertNoticeEmail = (
  sql: Sql,
  projectId: string,
  { id, operator_id, ticket_id, is_internal, content }: Omit<NoticeEmail, 'is_answered' | 'created_at'>,
) => sql`
  insert into notice_emails (project_id, id, operator_id, ticket_id, is_internal, content)
  values (${projectId}, ${id}, ${operator_id}, ${ticket_id}, ${is_internal}, ${content}) on conflict (project_id, id) do nothing`

/** Leaves out emails whose operators have been removed. */
export const listNoticeEmails = (sql: Sql, projectId: string, ids: string[]) => sql<NoticeEmail[]>`
  select e.id, e.operator_id, e.ticket_id, e.is_internal, e.content, e.answered_at is not null as is_answered,
    to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at
  from notice_emails e
  join operators o on o.project_id = ${projectId} and o.id = e.operator_id and o.removed_at is null
  where e.project_id = ${projectId} and e.id = any(${ids}::uuid[])`

export const updateNoticeAnswered = (sql: Sql, projectId: string, id: string) => sql`
  update notice_emails set answered_at = least(answered_at, now()) where project_id = ${projectId} and id = ${id}`

/** How long an operator can reply to an email. */
const answerDays = 90

export async function deleteOldNoticeEmails(db: Db): Promise<number> {
  const { count } = await db`
    delete from notice_emails where project_id is not null and created_at < now() - make_interval(days => ${answerDays})`
  return count
}
