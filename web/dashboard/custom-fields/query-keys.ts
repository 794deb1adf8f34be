import { makeKey } from '../core/query-key.ts'

export const customFieldKeys = {
  list: (projectId: string) => makeKey('custom fields', projectId),
}
