import type { Sql } from '../core/db/db.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { lockVotes, updateVote } from './vote-queries.ts'

/** Adds to an article's views. Callers collect views first, because all of them update the same row. */
export async function addArticleViews(
  sql: Sql,
  projectId: string,
  articleId: string,
  count: number,
): Promise<void> {
  await sql`update article_counts set views_count = views_count + ${count}
    where project_id = ${projectId} and article_id = ${articleId}`
}

/** Records a reader's vote on an article. The same vote again changes nothing; the opposite one replaces it. */
export function recordVote(
  store: DbOrTx,
  projectId: string,
  articleId: string,
  vote: { voter: Buffer; isHelpful: boolean },
): Promise<void> {
  return transact(store, projectId, async tx => {
    if (await lockVotes(tx, projectId, articleId)) await updateVote(tx, projectId, articleId, vote)
  })
}
