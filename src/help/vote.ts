import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { recordVote } from '../knowledge/knowledge.ts'
import { bucketOf } from '../limits/address.ts'
import { articleAt, Missing, Moved, type Visit } from './page.ts'
import { getArticlePage } from './pages/article.ts'

/** Identifies a voter by address and browser, without a cookie. Only a keyed hash is stored, which does not identify a person. */
const voterOf = (vault: Vault, request: FastifyRequest, articleId: string): Buffer =>
  createHmac('sha256', vault.derive('votes'))
    .update([articleId, bucketOf(request.ip), request.headers['user-agent'] ?? ''].join('|'))
    .digest()

/** Old browsers do not send the origin of a form. */
const isForeign = ({ headers }: FastifyRequest): boolean =>
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'])

/** Records a reader's vote on an article and redirects to it. */
export async function recordArticleVote(
  { db, vault }: { db: Db; vault: Vault },
  visit: Visit,
  slug: string,
  request: FastifyRequest,
): Promise<Moved> {
  const answer = new URLSearchParams(String(request.body ?? '')).get('helpful')
  if (isForeign(request) || (answer !== 'yes' && answer !== 'no')) throw new Missing(visit)
  const article = await getArticlePage(db, visit, slug)
  const voter = voterOf(vault, request, article.id)
  await recordVote(db, visit.centre.id, article.id, { voter, isHelpful: answer === 'yes' })
  return new Moved(`${articleAt(visit, article.slug)}?voted=1#_feedback`, 303)
}
