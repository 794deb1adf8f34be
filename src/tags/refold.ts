import type { Sql } from '../core/db.ts'
import { codeOf } from '../core/setup-error.ts'
import { foldTag } from './fold.ts'

interface OldTag {
  project_id: string
  id: string
  name: string
  folded: string | null
}

/** What the database may have folded otherwise than `foldTag`, or a process of the version before has not folded at all. */
const listDoubtful = (sql: Sql) => sql<OldTag[]>`
  select project_id, id, name, folded from tags
  where folded is null or name ~ '[^!-~]' order by project_id, created_at, id`

/** A fold that another tag has stays with that one: this tag is then an older spelling of it, which has none. */
async function refold(sql: Sql, { project_id, id, name, folded }: OldTag): Promise<void> {
  const write = (right: string | null) => sql`
    update tags set folded = ${right} where project_id = ${project_id} and id = ${id} and name = ${name}
      and (${right}::text is null or not exists (
        select from tags where project_id = ${project_id} and folded = ${right}))`
  const { count } = await write(foldTag(name)).catch(error => {
    // Another process has just written this fold.
    if (codeOf(error) === '23505') return { count: 0 }
    throw error
  })
  if (count === 0 && folded !== null) await write(null)
}

/** At the start: the database knows fewer letters than `foldTag`, so a migration cannot do it. */
export async function updateTagFolds(sql: Sql): Promise<void> {
  for (const tag of await listDoubtful(sql)) if (tag.folded !== foldTag(tag.name)) await refold(sql, tag)
}
