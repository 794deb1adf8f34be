import { makeKey } from '../core/query-key.ts'

export const requestKeys = {
  log: (projectId: string, filters: object) => makeKey('requests', projectId, filters),
}
