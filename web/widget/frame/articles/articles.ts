import { ask } from '../core/api.ts'
import type { Article, ArticleList } from '../core/records.ts'
import { language } from '../core/text.ts'

const locale = (): string => encodeURIComponent(language.peek())

/** The dashboard's preview requests nothing, because the widget may still be turned off. */
export const findArticles = async (words: string): Promise<ArticleList['items']> => {
  if (location.hash === '#preview') return []
  const q = words ? `&q=${encodeURIComponent(words)}` : ''
  const size = words ? 10 : 4
  const path = `/articles?locale=${locale()}&page_size=${size}${q}`
  return (await ask<ArticleList>('GET', path, { as: null })).items
}

export const readArticle = (id: string): Promise<Article> =>
  ask<Article>('GET', `/articles/${id}?locale=${locale()}`, { as: null })
