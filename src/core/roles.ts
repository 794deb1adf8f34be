/** What a person may do in a project; each may do what those before it may. */
export const roles = ['operator', 'admin', 'owner'] as const
export type OperatorRole = (typeof roles)[number]
