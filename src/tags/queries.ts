import { anyId, type Fragment, type Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import { newId } from '../core/ids.ts'
import { unstamped } from '../events/stamps.ts'
import type { ChangedBy } from '../events/ticket-history.ts'
import type { Tx } from '../events/transaction.ts'
import { foldTag } from './fold.ts'

export interface TagRow {
  id: string
  name: string
  color: string | null
  created_at: string
}

export interface TagChangeRow {
  project_id: string
  id: string
  old_name: string
  /** Null if the tag was deleted. */
  new_name: string | null
  /** Null if the change was made before histories were written. */
  by: ChangedBy | null
}

/** Tags, and whether changes still have to be applied to tickets and contacts. */
export const listShownTags = (sql: Sql, projectId: string) => sql<(TagRow & { is_changing: boolean })[]>`
  select id, name, color, created_at, exists (
    select from tag_changes c where c.project_id = ${projectId} and c.new_name = t.name) as is_changing
  from tags t where project_id = ${projectId} order by lower(name), name limit 10000`

export async function lockTag(sql: Sql, projectId: string, id: string): Promise<TagRow | null> {
  const [row] = await sql<TagRow[]>`
    select id, name, color, created_at from tags where project_id = ${projectId} and id = ${id} for update`
  return row ?? null
}

/** The stored names for these names in any spelling. The one to keep comes last. */
export async function findTagNames(sql: Sql, projectId: string, names: string[]): Promise<string[]> {
  const folded = names.map(foldTag)
  const rows = await sql<{ name: string; folded: string | null }[]>`
    select name, folded from tags
    where project_id = ${projectId} and (folded = any(${folded}::text[]) or folded is null)
    order by folded nulls first`
  // Older spellings have no stored fold, and the database folds differently.
  return rows.filter(row => row.folded !== null || folded.includes(foldTag(row.name))).map(({ name }) => name)
}

/** Null if a tag with this name exists. */
export async function insertTag(
  sql: Sql,
  projectId: string,
  { name, color }: { name: string; color: string | null },
): Promise<TagRow | null> {
  const [row] = await sql<TagRow[]>`
    insert into tags (project_id, id, name, folded, color)
    values (${projectId}, ${newId()}, ${name}, ${foldTag(name)}, ${color})
    on conflict do nothing returning id, name, color, created_at`
  return row ?? null
}

/** Whether another tag than this one has the name. */
export const hasTag = async (sql: Sql, projectId: string, name: string, id: string): Promise<boolean> =>
  (
    await sql`
      select from tags where project_id = ${projectId} and id <> ${id} and (name = ${name} or folded = ${foldTag(name)})`
  ).length > 0

export const updateTag = (
  sql: Sql,
  projectId: string,
  id: string,
  change: { name?: string; color?: string | null },
) => sql`
  update tags set ${sql({ ...change, ...(change.name && { folded: foldTag(change.name) }) })} where project_id = ${projectId} and id = ${id}`

export const deleteTagRow = (sql: Sql, projectId: string, id: string) => sql`
  delete from tags where project_id = ${projectId} and id = ${id}`

export const insertTagChange = (
  sql: Sql,
  projectId: string,
  oldName: string,
  newName: string | null,
  by: ChangedBy,
) => sql`
  insert into tag_changes (project_id, id, old_name, new_name, by)
  values (${projectId}, ${newId()}, ${oldName}, ${newName}, ${sql.json({ ...by })})`

/** The oldest change first, because a later one may rename the result of an earlier one. */
export const findDueTagChange = (sql: Sql, projectId: string) => sql<TagChangeRow[]>`
  select project_id, id, old_name, new_name, by from tag_changes where project_id = ${projectId} order by id limit 1`

export const waitingTagChanges: WaitingWork = sql =>
  sql`select project_id, created_at as due_at from tag_changes`

export const lockTagChange = (sql: Sql, { project_id, id }: TagChangeRow) => sql`
  select from tag_changes where project_id = ${project_id} and id = ${id} for update skip locked`

export const deleteTagChange = (sql: Sql, { project_id, id }: TagChangeRow) => sql`
  delete from tag_changes where project_id = ${project_id} and id = ${id}`

type Words = Pick<TagChangeRow, 'old_name' | 'new_name'>

/** Replaces the old tag by the new one, unless the record already has the new one. */
const rewritten = (sql: Sql, { old_name, new_name }: Words): Fragment =>
  sql`case
    when ${new_name}::text is null or ${new_name}::text = any(r.tags) then array_remove(r.tags, ${old_name})
    else array_replace(r.tags, ${old_name}, ${new_name}) end`

/** Replaces the tag in some of the tickets or contacts. `had_new`: whether the record already had the new tag. */
export const updateTaggedRows = (
  sql: Sql,
  table: 'tickets' | 'contacts',
  { project_id, ...words }: TagChangeRow,
  limit: number,
) => sql<{ id: string; had_new: boolean }[]>`
  update ${sql(table)} r set version = version + 1, tags = ${rewritten(sql, words)}
  from (
    select id, coalesce(tags @> array[${words.new_name}::text], false) as had_new from ${sql(table)} where project_id = ${project_id} and tags @> array[${words.old_name}::text]
    order by id limit ${limit} for no key update
  ) old
  where r.project_id = ${project_id} and r.id = old.id returning r.id, old.had_new`

/** All at once, because there are few articles compared to tickets. */
export async function updateTaggedArticles(tx: Tx, words: Words): Promise<void> {
  const { projectId } = tx
  const changed = await tx<{ id: string }[]>`
    update articles r set version = version + 1, tags = ${rewritten(tx, words)}
    where project_id = ${projectId} and tags @> array[${words.old_name}::text] returning id`
  if (changed.length === 0) return
  const ids = changed.map(({ id }) => id)
  await tx`
    update article_translations set updated_at = ${unstamped}
    where project_id = ${projectId} and article_id = ${anyId(tx, ids)}`
  tx.touch('article', ...ids)
}

/** Views keep showing the same tickets. A view whose last tag is deleted keeps an empty list, which matches no ticket. */
export const updateTaggedViews = (sql: Sql, projectId: string, { old_name, new_name }: Words) => sql`
  update saved_views v set filters = jsonb_set(filters, '{tag}', coalesce((
    select jsonb_agg(name order by at) from (
      select case name when ${old_name} then ${new_name}::text else name end as name, min(at) as at
      from jsonb_array_elements_text(v.filters -> 'tag') with ordinality as e (name, at) group by 1) names
    where name is not null), '[]')), version = version + 1
  where project_id = ${projectId} and filters -> 'tag' ? ${old_name}`

/** Saved views whose conditions may compare tags. The database folds names differently, so it cannot choose those with one tag. */
export const lockViewsWithTags = (sql: Sql, projectId: string) => sql<{ id: string; conditions: unknown }[]>`
  select id, filters -> 'conditions' as conditions from saved_views
  where project_id = ${projectId} and strpos(filters ->> 'conditions', '"tags"') > 0
  order by id for no key update`

export const updateViewConditions = (sql: Sql, projectId: string, id: string, conditions: unknown) => sql`
  update saved_views set filters = jsonb_set(filters, '{conditions}', ${JSON.stringify(conditions)}::text::jsonb), version = version + 1
  where project_id = ${projectId} and id = ${id}`
