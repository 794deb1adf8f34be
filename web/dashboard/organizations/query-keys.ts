import { makeKey } from '../core/query-key.ts'

export const organizationKeys = {
  lists: (projectId: string) => makeKey('organizations', projectId),
  list: (projectId: string, q: string) => makeKey('organizations', projectId, q),
  choices: (projectId: string, q: string) => makeKey('organizations', projectId, 'choices', q),
  organizations: (projectId: string) => makeKey('organization', projectId),
  organization: (projectId: string, id: string) => makeKey('organization', projectId, id),
}
