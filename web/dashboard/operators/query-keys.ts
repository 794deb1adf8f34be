import { makeKey } from '../core/query-key.ts'

export const operatorKeys = {
  allPeople: () => makeKey('people'),
  people: (projectId: string) => makeKey('people', projectId),
  departments: (projectId: string) => makeKey('departments', projectId),
  signature: (projectId: string) => makeKey('signature', projectId),
}
