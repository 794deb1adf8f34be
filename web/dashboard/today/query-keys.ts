import { makeKey } from '../core/query-key.ts'

export const todayKeys = {
  day: (projectId: string) => makeKey('today', projectId),
}
