import { makeKey } from '../core/query-key.ts'

export const apiKeyKeys = {
  list: (projectId: string) => makeKey('keys', projectId),
}
