import { makeKey } from '../core/query-key.ts'

export const mediaKeys = {
  buckets: (projectId: string) => makeKey('buckets', projectId),
}
