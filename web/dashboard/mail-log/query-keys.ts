import { makeKey } from '../core/query-key.ts'

export const mailLogKeys = {
  all: (projectId: string) => makeKey('mail log', projectId),
  list: (projectId: string, kind: string | null, mailboxId: string | null, q: string) =>
    makeKey('mail log', projectId, 'list', kind, mailboxId, q),
  mail: (projectId: string, mailId: string) => makeKey('mail log', projectId, mailId),
}
