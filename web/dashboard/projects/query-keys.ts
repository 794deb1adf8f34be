import { makeKey } from '../core/query-key.ts'

export const projectKeys = {
  settings: (projectId: string) => makeKey('settings', projectId),
  inboxSettings: (projectId: string) => makeKey('inbox settings', projectId),
}
