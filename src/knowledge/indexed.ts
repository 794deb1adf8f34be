import { printVector } from '../core/words/vector.ts'
import type { Gathered, Indexed } from '../words/words.ts'

/** The published texts of an article that are searched, in each of its languages. */

interface Texts {
  locale: string
  title: string | null
  excerpt: string | null
  content_text: string | null
}

export const indexedArticles: Indexed<Texts> = {
  table: 'article_translations',
  columns: ['locale', 'title', 'excerpt', 'content_text'],
  printIndex: ({ locale, title, excerpt, content_text }) =>
    printVector(
      { text: title, weight: 'A', locale },
      { text: excerpt, weight: 'B', locale },
      { text: content_text, locale },
    ),
}

export const gatheredArticles: Gathered<Texts> = {
  name: 'articles',
  rows: (sql, projectId) => sql`article_translations t where t.project_id = ${projectId} and t.is_public`,
  id: 't.article_id',
  changedAt: sql => sql`t.updated_at`,
  columns: sql =>
    sql`jsonb_build_object('locale', t.locale, 'title', t.title, 'content_text', t.content_text)`,
  read: ({ locale, title, content_text }) =>
    [title, content_text].flatMap(text => (text ? [{ text, language: locale }] : [])),
}
