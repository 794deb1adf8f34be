import { makeKey } from '../core/query-key.ts'

export const viewKeys = {
  list: (projectId: string) => makeKey('views', projectId),
}
