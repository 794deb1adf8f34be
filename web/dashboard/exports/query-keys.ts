import { makeKey } from '../core/query-key.ts'

export const exportKeys = {
  list: (projectId: string) => makeKey('exports', projectId),
}
