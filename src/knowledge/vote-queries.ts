import type { Sql } from '../core/db/db.ts'

/** Locks the counts of an article, and thereby its votes. False if there is no such public article. */
export async function lockVotes(sql: Sql, projectId: string, articleId: string): Promise<boolean> {
  const { count } = await sql`select from article_counts n
    where project_id = ${projectId} and article_id = ${articleId} and exists (
      select from article_translations t where t.project_id = n.project_id and t.article_id = n.article_id
        and t.is_public)
    for no key update`
  return count > 0
}

export const updateVote = (
  sql: Sql,
  projectId: string,
  articleId: string,
  { voter, isHelpful }: { voter: Buffer; isHelpful: boolean },
) => sql`
  with old as (
    select is_helpful from article_votes
    where project_id = ${projectId} and article_id = ${articleId} and voter = ${voter}
  ), vote as (
    insert into article_votes (project_id, article_id, voter, is_helpful)
    values (${projectId}, ${articleId}, ${voter}, ${isHelpful})
    on conflict (project_id, article_id, voter) do update set is_helpful = excluded.is_helpful
    returning is_helpful
  )
  update article_counts set
    helpful_count = helpful_count + vote.is_helpful::int - coalesce((select is_helpful::int from old), 0),
    not_helpful_count =
      not_helpful_count + (not vote.is_helpful)::int - coalesce((select (not is_helpful)::int from old), 0)
  from vote where project_id = ${projectId} and article_id = ${articleId}`
