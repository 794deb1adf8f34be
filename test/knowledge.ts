import type { Db } from '../src/core/db/db.ts'
import { type ArticleInput, putArticle } from '../src/knowledge/knowledge.ts'
import { type Member, unique } from './cast.ts'

/** Creates a published article in English, unless `fields` says otherwise. */
export async function makeArticle(db: Db, { id }: Member, fields: Partial<ArticleInput> = {}) {
  const input = {
    slug: `article-${unique()}`,
    locale: 'en',
    title: 'Reset your password',
    markdown: 'Open the *settings* and choose a new password.',
    status: 'published' as const,
    ...fields,
  }
  const { id: articleId } = await putArticle(db, id, input)
  return { id: articleId, ...input }
}

/** Puts the project on a plan without a knowledge base. */
export async function leaveWithoutKnowledge(db: Db, { id }: Member): Promise<void> {
  const code = `plan_${unique()}`
  await db`insert into plans (code, name) values (${code}, 'Small')`
  await db`update projects set plan = ${code} where id = ${id}`
}
