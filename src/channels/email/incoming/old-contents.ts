import type { Sql } from '../../../core/db/db.ts'

/** The same for emails that were sent or have failed long ago. */
async function deleteSentContents(sql: Sql, days: number, limit: number): Promise<number> {
  const { count } = await sql`
    with old as (
      select o.project_id, o.message_id, o.storage_key, o.bucket_id
      from outgoing_emails o
        join messages m on m.project_id = o.project_id and m.id = o.message_id
      where o.project_id is not null and o.storage_key <> ''
        and m.created_at < now() - ${days}::int * interval '1 day'
        and not exists (select from outgoing_queue q where q.project_id = o.project_id and q.message_id = o.message_id)
      limit ${limit} for update of o skip locked
    ), strays as (
      insert into stray_objects (storage_key, bucket_id, due_at) select storage_key, bucket_id, now() from old
      on conflict do nothing
    )
    update outgoing_emails o set storage_key = '', bucket_id = null from old
    where o.project_id = old.project_id and o.message_id = old.message_id`
  return count
}

/** Deletes the content of emails that were handled long ago. Their objects become strays; their rows stay in the log. */
async function deleteReceivedContents(sql: Sql, days: number, limit: number): Promise<number> {
  const { count } = await sql`
    with old as (
      select project_id, id, storage_key, bucket_id from incoming_mails
      where project_id is not null and storage_key <> '' and state in ('done', 'duplicate')
        and created_at < now() - ${days}::int * interval '1 day'
      order by created_at limit ${limit} for update skip locked
    ), strays as (
      insert into stray_objects (storage_key, bucket_id, due_at) select storage_key, bucket_id, now() from old
      on conflict do nothing
    )
    update incoming_mails i set storage_key = '', bucket_id = null from old
    where i.project_id = old.project_id and i.id = old.id`
  return count
}

export const deleteOldContents = async (sql: Sql, days: number, limit = 500): Promise<number> =>
  (await deleteReceivedContents(sql, days, limit)) + (await deleteSentContents(sql, days, limit))
