import type { Sql } from '../core/db.ts'
import type { Department, Operator } from './schema.ts'

export const listOperators = (sql: Sql, projectId: string, ids: string[]) => sql<Operator[]>`
  select id, name, email, role, avatar_url, status, status_text, status_emoji, created_at, array(
    select department_id from department_operators
    where project_id = ${projectId} and operator_id = o.id order by department_id) as department_ids
  from operators o
  where project_id = ${projectId} and id = any(${ids as never}::uuid[]) and removed_at is null`

export const listDepartments = (sql: Sql, projectId: string, ids: string[]) => sql<Department[]>`
  select id, name, is_default, created_at, array(
    select operator_id from department_operators
    where project_id = ${projectId} and department_id = d.id order by operator_id) as operator_ids
  from departments d where project_id = ${projectId} and id = any(${ids as never}::uuid[])`

interface Seats {
  /** Null is no limit. */
  seats: number | null
  taken: number
}

/** Under the project's lock: several new operators at once do not share one seat. */
export async function lockSeats(sql: Sql, projectId: string): Promise<Seats> {
  await sql`select from projects where id = ${projectId} for no key update`
  const [row] = await sql<Seats[]>`
    select operator_seats as seats,
      (select count(*)::int from operators where project_id = ${projectId} and removed_at is null) as taken
    from project_terms where project_id = ${projectId}`
  return row!
}

/**
 * Null when the project already has an operator with this address. One that was removed comes back under the id of
 * before, so that what was written then stays theirs.
 */
export async function insertOperator(
  sql: Sql,
  projectId: string,
  operator: { id: string; name: string; email: string; role: string },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    insert into operators as known ${sql({ project_id: projectId, ...operator } as never)}
    on conflict (project_id, lower(email)) do update
      set name = excluded.name, email = excluded.email, role = excluded.role, removed_at = null, user_id = null
      where known.removed_at is not null
    returning id`
  return row?.id ?? null
}

/** False when the project already has a department of this name. The first one is the default. */
export async function insertDepartment(
  sql: Sql,
  projectId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const { count } = await sql`
    insert into departments (project_id, id, name, is_default)
    select ${projectId}, ${id}, ${name}, not exists (
      select from departments where project_id = ${projectId} and is_default)
    on conflict (project_id, lower(name)) do nothing`
  return count > 0
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

export const listPeople = (sql: Sql, projectId: string, only: string | null = null) => sql<Person[]>`
  select o.id, o.name, o.email, o.role, o.avatar_url, o.status, o.status_text, o.status_emoji, o.created_at,
    o.last_seen_at, o.user_id is not null as has_account, coalesce(u.two_factor_enabled, false) as has_second_factor,
    case when o.user_id is null then l.expires_at end as invitation_expires_at,
    array(select department_id from department_operators
      where project_id = ${projectId} and operator_id = o.id order by department_id) as department_ids
  from operators o
  left join users u on u.id = o.user_id
  left join links l on l.project_id = o.project_id and l.operator_id = o.id and l.purpose = 'invite'
    and l.used_at is null
  where o.project_id = ${projectId} and o.removed_at is null and (${only}::uuid is null or o.id = ${only}::uuid)
  order by lower(o.name), o.id`

export interface LockedPerson {
  id: string
  name: string
  email: string
  role: Role
  user_id: string | null
}

/** Under the project's lock, so that of two owners who demote each other one stays. */
export async function lockPerson(sql: Sql, projectId: string, id: string): Promise<LockedPerson | null> {
  await sql`select from projects where id = ${projectId} for no key update`
  const [row] = await sql<LockedPerson[]>`
    select id, name, email, role, user_id from operators
    where project_id = ${projectId} and id = ${id} and removed_at is null for no key update`
  return row ?? null
}

/** Owners who can sign in. */
export async function countOwners(sql: Sql, projectId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from operators
    where project_id = ${projectId} and role = 'owner' and removed_at is null and user_id is not null`
  return row!.count
}

export const updatePerson = (
  sql: Sql,
  projectId: string,
  id: string,
  { name = null, role = null }: { name?: string | null; role?: Role | null },
) => sql`
  update operators set name = coalesce(${name}::text, name), role = coalesce(${role}::text, role)
  where project_id = ${projectId} and id = ${id}`

export const deletePerson = (sql: Sql, projectId: string, id: string) => sql`
  update operators set removed_at = now(), user_id = null, status = 'offline', status_text = null, status_emoji = null
  where project_id = ${projectId} and id = ${id}`

export const deleteMemberships = (sql: Sql, projectId: string, operatorId: string) => sql`
  delete from department_operators where project_id = ${projectId} and operator_id = ${operatorId}`

/** False when one of the departments does not exist. */
export async function insertMemberships(
  sql: Sql,
  projectId: string,
  operatorId: string,
  departmentIds: string[],
): Promise<boolean> {
  const ids = [...new Set(departmentIds)]
  const { count } = await sql`
    insert into department_operators (project_id, department_id, operator_id)
    select project_id, id, ${operatorId} from departments
    where project_id = ${projectId} and id = any(${ids as never}::uuid[])
    on conflict (project_id, department_id, operator_id) do update set operator_id = excluded.operator_id`
  return count === ids.length
}

/** False when it has been accepted or taken back meanwhile. */
export async function joinOperator(
  sql: Sql,
  projectId: string,
  id: string,
  userId: string,
  name: string | null,
): Promise<boolean> {
  const { count } = await sql`
    update operators set user_id = ${userId}, name = coalesce(${name}::text, name)
    where project_id = ${projectId} and id = ${id} and user_id is null and removed_at is null`
  return count > 0
}

/** Of all projects of a user. */
export const listMemberships = (sql: Sql, userId: string) => sql<Membership[]>`
  select o.project_id, o.id, o.name, o.role, p.name as project_name, p.color, p.logo_url, p.requires_second_factor,
    p.suspended_at is not null as is_suspended
  from operators o join projects p on p.id = o.project_id
  where o.user_id = ${userId} and o.removed_at is null order by lower(p.name), p.id`

export interface Membership {
  project_id: string
  id: string
  name: string
  role: Role
  project_name: string
  color: string | null
  logo_url: string | null
  requires_second_factor: boolean
  is_suspended: boolean
}
