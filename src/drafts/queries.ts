import type { Sql } from '../core/db/db.ts'
import type { TicketDraft } from './schema.ts'

/** The person and the ticket of a draft. */
export interface DraftKey {
  project_id: string
  ticket_id: string
  operator_id: string
}

export type DraftRow = Omit<TicketDraft, 'media'> & { media_ids: string[] }

/** Returns null if the draft has another version. If `version` is null, the draft is overwritten. */
export async function updateDraft(
  sql: Sql,
  { project_id, ticket_id, operator_id }: DraftKey,
  row: Omit<DraftRow, 'version' | 'updated_at'>,
  version: number | null,
): Promise<DraftRow | null> {
  const [written] = await sql<DraftRow[]>`
    insert into drafts as d (project_id, ticket_id, operator_id, is_internal, content, content_format, media_ids,
      mentions, updated_at)
    select ${project_id}::uuid, ${ticket_id}::uuid, ${operator_id}::uuid, ${row.is_internal}::boolean, ${row.content},
      ${row.content_format}, ${row.media_ids}::uuid[], ${row.mentions}::uuid[], now()
    where ${version}::int is null or ${version}::int = 0 or exists (
      select from drafts where project_id = ${project_id} and ticket_id = ${ticket_id}
        and operator_id = ${operator_id} and is_internal = ${row.is_internal})
    on conflict (project_id, ticket_id, operator_id, is_internal) do update set
      content = excluded.content, content_format = excluded.content_format, media_ids = excluded.media_ids,
      mentions = excluded.mentions, updated_at = excluded.updated_at, version = d.version + 1
    where ${version}::int is null or d.version = ${version}::int
    returning content, content_format, is_internal, media_ids, mentions, version, updated_at`
  return written ?? null
}

export const listTicketDrafts = (sql: Sql, { project_id, ticket_id, operator_id }: DraftKey) => sql<
  DraftRow[]
>`
  select content, content_format, is_internal, media_ids, mentions, version, updated_at from drafts
  where project_id = ${project_id} and ticket_id = ${ticket_id} and operator_id = ${operator_id}`

export const deleteDraft = (
  sql: Sql,
  { project_id, ticket_id, operator_id }: DraftKey,
  isInternal: boolean,
) => sql`
  delete from drafts where project_id = ${project_id} and ticket_id = ${ticket_id} and operator_id = ${operator_id}
    and is_internal = ${isInternal}`

/** The drafts of replies of all operators. */
export const listReplyDrafts = (sql: Sql, projectId: string, ticketId: string) => sql<
  (DraftRow & { operator_id: string })[]
>`
  select operator_id, content, content_format, is_internal, media_ids, mentions, version, updated_at from drafts
  where project_id = ${projectId} and ticket_id = ${ticketId} and not is_internal
  order by updated_at desc, operator_id`
