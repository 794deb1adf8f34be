import { makeKey } from '../core/query-key.ts'

export const knowledgeKeys = {
  all: (projectId: string) => makeKey('knowledge', projectId),
  articles: (projectId: string) => makeKey('knowledge', projectId, 'articles'),
  categories: (projectId: string) => makeKey('knowledge', projectId, 'categories'),
  found: (projectId: string, q: string) => makeKey('knowledge', projectId, 'found', q),
  article: (articleId: string) => makeKey('knowledge article', articleId),
  preview: (content: string) => makeKey('preview', content),
}
