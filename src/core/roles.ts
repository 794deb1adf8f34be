/** The roles of people in a project, lowest first. Each includes those before it. */
export const roles = ['operator', 'admin', 'owner'] as const
export type OperatorRole = (typeof roles)[number]
