import { ask } from '../core/api.ts'
import type { Article, ArticleList } from '../core/records.ts'
import { language } from '../core/text.ts'
import { pageUrl } from '../session/session.ts'

const locale = (): string => encodeURIComponent(language.peek())

/** The dashboard's preview requests nothing, because the widget may still be turned off. */
export const findArticles = async (words: string): Promise<ArticleList['items']> => {
  if (location.hash === '#preview') return []
  const asked = new URLSearchParams({ locale: language.peek(), page_size: words ? '10' : '4' })
  if (words) asked.set('q', words)
  else asked.set('page_url', pageUrl.peek().slice(0, 2_048))
  return (await ask<ArticleList>('GET', `/articles?${asked}`, { as: null })).items
}

export const readArticle = (id: string): Promise<Article> =>
  ask<Article>('GET', `/articles/${id}?locale=${locale()}`, { as: null })
