import { anyId, type Sql } from '../core/db/db.ts'
import { listAll } from '../core/paging/listing.ts'
import type { Listed } from '../core/paging/paging.ts'
import { foldTag, listTags } from './fold.ts'
import { findTagNames } from './queries.ts'
import type { Tag, TagQuery } from './schema.ts'

/** The project's spelling of each tag, by its fold. */
async function findSpellings(sql: Sql, projectId: string, names: string[]): Promise<Map<string, string>> {
  const known = await findTagNames(sql, projectId, names)
  return new Map(known.map(name => [foldTag(name), name]))
}

/** In a fixed order, so that two transactions that add the same tags do not deadlock. */
async function addTags(sql: Sql, projectId: string, names: string[]): Promise<void> {
  await sql`
    insert into tags (project_id, id, name, folded)
    select ${projectId}, uuid_v7(), name, folded
    from unnest(${names}::text[], ${names.map(foldTag)}::text[]) as n (name, folded)
    order by folded on conflict do nothing`
}

/** Stores new tags and returns each tag once, in the project's spelling, which is the first one used. */
export async function ensureTags(sql: Sql, projectId: string, sent: string[]): Promise<string[]> {
  const names = listTags(sent)
  if (!names.length) return []
  const known = await findSpellings(sql, projectId, names)
  const fresh = names.filter(name => !known.has(foldTag(name)))
  if (fresh.length) await addTags(sql, projectId, fresh)
  // Another transaction may have added one of them first, in another spelling.
  const spellings = fresh.length ? await findSpellings(sql, projectId, names) : known
  return names.map(name => spellings.get(foldTag(name)) ?? name)
}

/** All spellings of these tags that records of the project may contain. */
export const listTagSpellings = async (sql: Sql, projectId: string, sent: string[]): Promise<string[]> => [
  ...new Set([...sent, ...(await findTagNames(sql, projectId, sent))]),
]

export const pageTags = (sql: Sql, projectId: string, query: TagQuery): Promise<Listed<Tag>> =>
  listAll(
    sql,
    projectId,
    'tags',
    ids => sql<Tag[]>`
      select id, name, created_at from tags where project_id = ${projectId} and id = ${anyId(sql, ids)}`,
    query,
  )
