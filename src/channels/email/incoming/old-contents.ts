import type { Sql } from '../../../core/db.ts'

/** Deletes the content of emails that were handled long ago. Their objects become strays; their rows stay in the log. */
export async function deleteOldContents(sql: Sql, days: number, limit = 500): Promise<number> {
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
