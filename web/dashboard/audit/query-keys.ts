import { makeKey } from '../core/query-key.ts'

export const auditKeys = {
  log: (projectId: string, action: string | null, after: string | null) =>
    makeKey('audit', projectId, action, after),
}
