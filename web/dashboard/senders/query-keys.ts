import { makeKey } from '../core/query-key.ts'

export const senderKeys = {
  rules: (projectId: string) => makeKey('sender rules', projectId),
  found: (projectId: string, q: string) => makeKey('sender rules', projectId, q),
}
