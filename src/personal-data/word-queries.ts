import type { Sql } from '../core/db/db.ts'

/** Statements about the words of deleted texts. */

export const insertDeletedWords = (sql: Sql, projectId: string, deletionId: string, words: string[]) => sql`
  insert into deleted_words (project_id, deletion_id, word)
  select ${projectId}, ${deletionId}, word from unnest(${words}::text[]) as w (word) on conflict do nothing`

export async function listDeletedWords(
  sql: Sql,
  projectId: string,
  deletionId: string,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ word: string }[]>`
    select word from deleted_words where project_id = ${projectId} and deletion_id = ${deletionId} order by word limit ${limit}`
  return rows.map(({ word }) => word)
}

export const deleteDeletedWords = (sql: Sql, projectId: string, deletionId: string, words: string[]) => sql`
  delete from deleted_words
  where project_id = ${projectId} and deletion_id = ${deletionId} and word = any(${words}::text[])`

/** Tables with the column `search`. */
const searched = ['messages', 'tickets', 'contacts', 'article_translations', 'canned_answers']

/** Returns those of the words that no text of the project contains. Each word is looked up in the index of each table. */
export async function listUnusedWords(sql: Sql, projectId: string, words: string[]): Promise<string[]> {
  let unused = words
  for (const table of searched) {
    const rows = await sql<{ word: string }[]>`
      select word from unnest(${unused}::text[]) as w (word) where (
        select true from ${sql(table)}
        where project_id = ${projectId} and search @@ ('''' || word || '''')::tsquery limit 1) is null`
    unused = rows.map(({ word }) => word)
  }
  return unused
}

/** Makes processes that have already read the project's texts read them again before they write words. */
export const updateWordsGeneration = (sql: Sql, projectId: string) => sql`
  update words_read set generation = generation + 1 where project_id = ${projectId}`

export const deleteWords = (sql: Sql, projectId: string, words: string[]) => sql`
  with gone as (
    delete from words where project_id = ${projectId} and word = any(${words}::text[]) returning word
  )
  update words_read set word_count = greatest(word_count - (select count(*)::int from gone), 0)
  where project_id = ${projectId}`
