import { makeKey } from '../core/query-key.ts'

export const knowledgeKeys = {
  all: (projectId: string) => makeKey('knowledge', projectId),
  articles: (projectId: string) => makeKey('knowledge', projectId, 'articles'),
  categories: (projectId: string) => makeKey('knowledge', projectId, 'categories'),
  article: (articleId: string) => makeKey('knowledge article', articleId),
  preview: (content: string) => makeKey('preview', content),
}
