import { anyId, type Sql } from '../core/db.ts'
import { listAll } from '../core/listing.ts'
import type { Listed } from '../core/paging.ts'
import type { Tag, TagQuery } from './schema.ts'

/** Every tag once; in order, so that two writers of the same new tags wait for one another and do not deadlock. */
export async function rememberTags(sql: Sql, projectId: string, names: string[] = []): Promise<void> {
  if (!names.length) return
  const known = await sql<{ name: string }[]>`
    select name from tags where project_id = ${projectId} and name = any(${names as never}::text[])`
  const fresh = [...new Set(names)].filter(name => !known.some(tag => tag.name === name)).sort()
  if (!fresh.length) return
  await sql`
    insert into tags (project_id, id, name)
    select ${projectId}, uuid_v7(), name from unnest(${fresh as never}::text[]) with ordinality as n (name, at)
    order by at on conflict do nothing`
}

export const pageTags = (sql: Sql, projectId: string, query: TagQuery): Promise<Listed<Tag>> =>
  listAll(
    sql,
    projectId,
    'tags',
    ids => sql<Tag[]>`
      select id, name, created_at from tags where project_id = ${projectId} and id = ${anyId(sql, ids)}`,
    query,
  )

export { waitingTagChanges } from './queries.ts'
export { bringTagChanges } from './rewrite.ts'
