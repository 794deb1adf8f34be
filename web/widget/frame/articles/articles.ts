import { ask } from '../core/api.ts'
import type { Article, ArticleList } from '../core/records.ts'
import { language } from '../core/text.ts'

const locale = (): string => encodeURIComponent(language.peek())

export const findArticles = async (words: string): Promise<ArticleList['items']> => {
  const q = words ? `&q=${encodeURIComponent(words)}` : ''
  const size = words ? 10 : 4
  return (await ask<ArticleList>('GET', `/articles?locale=${locale()}&page_size=${size}${q}`)).items
}

export const readArticle = (id: string): Promise<Article> =>
  ask<Article>('GET', `/articles/${id}?locale=${locale()}`)
