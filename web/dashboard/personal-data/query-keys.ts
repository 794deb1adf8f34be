import { makeKey } from '../core/query-key.ts'

export const deletionKeys = {
  preview: (projectId: string, kind: string, id: string) => makeKey('deletion preview', projectId, kind, id),
  deletion: (projectId: string, id: string) => makeKey('deletion', projectId, id),
}
