import { makeKey } from '../core/query-key.ts'

export const importKeys = {
  list: (projectId: string) => makeKey('imports', projectId),
}
