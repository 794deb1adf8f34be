import { makeKey } from '../core/query-key.ts'

export const searchKeys = {
  found: (projectId: string, q: string) => makeKey('found', projectId, q),
}
