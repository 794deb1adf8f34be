import type { Sql } from '../core/db/db.ts'

/** Finds the operators and departments to which imported records refer. */

export interface KnownOperator {
  id: string
  /** In lower case. */
  email: string
  name: string
  avatar_url: string | null
  /** Whether the operator has left the project. */
  has_left: boolean
}

export const listKnownOperators = (sql: Sql, projectId: string, ids: string[], emails: string[]) => sql<
  KnownOperator[]
>`
  select id, lower(email) as email, name, avatar_url, removed_at is not null as has_left from operators
  where project_id = ${projectId} and (id = any(${ids}::uuid[]) or lower(email) = any(${emails}::text[]))
  order by removed_at nulls first`

export const listDepartmentNames = (sql: Sql, projectId: string) => sql<{ id: string; name: string }[]>`
  select id, name from departments where project_id = ${projectId}`
