import { anyId, type Sql } from '../core/db/db.ts'
import type { Department, Operator } from './schema.ts'

export const listOperators = (sql: Sql, projectId: string, ids: string[]) => sql<Operator[]>`
  select id, name, email, role, avatar_url, status, status_text, status_emoji, created_at, array(
    select department_id from department_operators
    where project_id = ${projectId} and operator_id = o.id order by department_id) as department_ids
  from operators o
  where project_id = ${projectId} and id = ${anyId(sql, ids)} and removed_at is null`

export const listDepartments = (sql: Sql, projectId: string, ids: string[]) => sql<Department[]>`
  select id, name, is_default, signature, created_at, array(
    select operator_id from department_operators
    where project_id = ${projectId} and department_id = d.id order by operator_id) as operator_ids
  from departments d where project_id = ${projectId} and id = ${anyId(sql, ids)}`

interface Seats {
  /** Null means no limit. */
  seats: number | null
  taken: number
}

/** Locks the project, so that concurrent new operators do not share a seat. */
export async function lockOperatorLimit(sql: Sql, projectId: string): Promise<Seats> {
  await sql`select from projects where id = ${projectId} for no key update`
  const [row] = await sql<Seats[]>`
    select operator_seats as seats,
      (select count(*)::int from operators where project_id = ${projectId} and removed_at is null) as taken
    from project_terms where project_id = ${projectId}`
  return row!
}

/**
 * Null if the project already has an operator with this address. A removed operator comes back under the same id, so that what they
 * wrote still belongs to them.
 */
export async function insertOperator(
  sql: Sql,
  projectId: string,
  { id, name, email, role }: { id: string; name: string; email: string; role: string },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    insert into operators as known (project_id, id, name, email, role)
    values (${projectId}, ${id}, ${name}, ${email}, ${role})
    on conflict (project_id, lower(email)) do update
      set name = excluded.name, email = excluded.email, role = excluded.role, removed_at = null, user_id = null
      where known.removed_at is not null
    returning id`
  return row?.id ?? null
}

/** False if the project already has a department with this name. The first one is the default. */
export async function insertDepartment(
  sql: Sql,
  projectId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const insert = async (isDefault: boolean) => {
    const { count } = await sql`
      insert into departments (project_id, id, name, is_default) values (${projectId}, ${id}, ${name}, ${isDefault})
      on conflict do nothing`
    return count > 0
  }
  // If two are created at the same time, a unique index lets only one be the default.
  return (await insert(true)) || (await insert(false))
}

export const insertMembership = (
  sql: Sql,
  projectId: string,
  departmentId: string,
  operatorId: string,
) => sql`
  insert into department_operators (project_id, department_id, operator_id)
  values (${projectId}, ${departmentId}, ${operatorId}) on conflict do nothing`

export async function findDepartmentId(sql: Sql, projectId: string, name: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from departments where project_id = ${projectId} and lower(name) = lower(${name})`
  return row?.id ?? null
}
