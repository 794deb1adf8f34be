import { makeKey } from '../core/query-key.ts'

export const firstStepKeys = {
  list: (projectId: string) => makeKey('first steps', projectId),
}
