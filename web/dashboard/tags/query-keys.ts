import { makeKey } from '../core/query-key.ts'

export const tagKeys = {
  list: (projectId: string) => makeKey('tags', projectId),
}
