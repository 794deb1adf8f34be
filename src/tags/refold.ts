import type { Sql } from '../core/db/db.ts'
import { codeOf } from '../core/thrown.ts'
import { foldTag } from './fold.ts'

interface OldTag {
  project_id: string
  id: string
  name: string
  folded: string | null
}

/** Tags that the database may have folded differently from `foldTag`, or that a process of the previous version did not fold. */
const listDoubtful = (sql: Sql) => sql<OldTag[]>`
  select project_id, id, name, folded from tags
  where folded is null or name ~ '[^!-~]' order by project_id, created_at, id`

/** If another tag already has this fold, this tag is an older spelling of it and gets none. */
async function refold(sql: Sql, { project_id, id, name, folded }: OldTag): Promise<void> {
  const write = (right: string | null) => sql`
    update tags set folded = ${right} where project_id = ${project_id} and id = ${id} and name = ${name}
      and (${right}::text is null or not exists (
        select from tags where project_id = ${project_id} and folded = ${right}))`
  const { count } = await write(foldTag(name)).catch(error => {
    // Another process has just stored this fold.
    if (codeOf(error) === '23505') return { count: 0 }
    throw error
  })
  if (count === 0 && folded !== null) await write(null)
}

/** Runs at the start. A migration cannot do this, because the database knows fewer letters than `foldTag`. */
export async function updateTagFolds(sql: Sql): Promise<void> {
  for (const tag of await listDoubtful(sql)) if (tag.folded !== foldTag(tag.name)) await refold(sql, tag)
}
