import { anyId, type Sql } from '../core/db/db.ts'
import { listSpellings } from '../core/email.ts'
import type { OperatorRole } from '../core/roles.ts'
import { storedEmail } from '../users/users.ts'
import type { Person } from './schema.ts'

export const listPeople = (sql: Sql, projectId: string, only: string | null = null) => sql<Person[]>`
  select o.id, o.name, o.email, o.role, o.avatar_url, o.status, o.status_text, o.status_emoji, o.status_until, o.created_at,
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
  role: OperatorRole
  user_id: string | null
}

/** Locks the project too, so that two owners who demote each other at the same time do not both succeed. */
export async function lockPerson(sql: Sql, projectId: string, id: string): Promise<LockedPerson | null> {
  await sql`select from projects where id = ${projectId} for no key update`
  const [row] = await sql<LockedPerson[]>`
    select id, name, email, role, user_id from operators
    where project_id = ${projectId} and id = ${id} and removed_at is null for no key update`
  return row ?? null
}

/** The number of owners who can sign in. */
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
  { name = null, role = null }: { name?: string | null; role?: OperatorRole | null },
) => sql`
  update operators set name = coalesce(${name}::text, name), role = coalesce(${role}::text, role)
  where project_id = ${projectId} and id = ${id}`

export const deletePerson = (sql: Sql, projectId: string, id: string) => sql`
  update operators set removed_at = now(), user_id = null
  where project_id = ${projectId} and id = ${id}`

export const deleteMemberships = (sql: Sql, projectId: string, operatorId: string) => sql`
  delete from department_operators where project_id = ${projectId} and operator_id = ${operatorId}`

/** False if one of the departments does not exist. */
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
    where project_id = ${projectId} and id = ${anyId(sql, ids)}
    on conflict (project_id, department_id, operator_id) do update set operator_id = excluded.operator_id`
  return count === ids.length
}

/** Uses the address of the account, unless another operator of the project has it. False if the invitation has been accepted or withdrawn in the meantime. */
export async function updateOperatorJoined(
  sql: Sql,
  projectId: string,
  id: string,
  userId: string,
  name: string | null,
): Promise<boolean> {
  const { count } = await sql`
    update operators set user_id = ${userId}, name = coalesce(${name}::text, name),
      avatar_url = coalesce((select image from users where id = ${userId}), avatar_url),
      email = coalesce((select u.email from users u where u.id = ${userId} and not exists (
        select from operators o where o.project_id = ${projectId} and lower(o.email) = u.email
          and o.id <> ${id} and o.removed_at is null)), email)
    where project_id = ${projectId} and id = ${id} and user_id is null and removed_at is null`
  return count > 0
}

/** The memberships of a user in all projects. */
export const listMemberships = (sql: Sql, userId: string) => sql<
  (MembershipRow & { has_first_steps: boolean })[]
>`
  select o.project_id, o.id, o.name, o.role, p.name as project_name, p.color, p.logo_url, p.requires_second_factor,
    p.suspended_at is not null as is_suspended, p.has_first_steps
  from operators o join projects p on p.id = o.project_id
  where o.user_id = ${userId} and o.removed_at is null order by lower(p.name), p.id`

export const listMembershipsOf = (sql: Sql, email: string) => sql<
  { project_id: string; id: string; name: string }[]
>`
  select o.project_id, o.id, o.name from operators o join users u on u.id = o.user_id
  where u.email = ${storedEmail(sql, email)} and o.removed_at is null`

export interface MembershipRow {
  project_id: string
  id: string
  name: string
  role: OperatorRole
  project_name: string
  color: string | null
  logo_url: string | null
  requires_second_factor: boolean
  is_suspended: boolean
}

export async function findProjectFace(sql: Sql, projectId: string) {
  const [row] = await sql<{ id: string; name: string; color: string | null; logo_url: string | null }[]>`
    select id, name, color, logo_url from projects where id = ${projectId}`
  return row!
}

export interface AdmittedOperator extends MembershipRow {
  avatar_url: string | null
  is_maintenance: boolean
}

/** The operator of a user in a project; null if there is none. If `isNoted`, it records that the operator was seen. */
export async function findAdmittedOperator(
  sql: Sql,
  projectId: string,
  userId: string,
  isNoted: boolean,
): Promise<AdmittedOperator | null> {
  const [row] = await sql<AdmittedOperator[]>`
    with seen as (
      update operators set last_seen_at = now()
      where project_id = ${projectId} and user_id = ${userId} and removed_at is null
        and (last_seen_at is null or last_seen_at < now() - interval '1 minute') and ${isNoted}
    )
    select o.project_id, o.id, o.name, o.role, o.avatar_url, p.name as project_name, p.color, p.logo_url,
      p.requires_second_factor, p.suspended_at is not null as is_suspended,
      (select maintenance from installation) as is_maintenance
    from operators o join projects p on p.id = o.project_id
    where o.project_id = ${projectId} and o.user_id = ${userId} and o.removed_at is null`
  return row ?? null
}

/** Sessions that may no longer access the project: the check of the gate for many sessions at once. */
export async function listRevokedSessions(
  sql: Sql,
  projectId: string,
  asked: { id: string; sessionId: string; operatorId: string }[],
  /** Whether a sign-in at the provider counts as a second step. */
  providerCounts: boolean,
): Promise<{ isMaintenance: boolean; revoked: ReadonlySet<string> }> {
  const rows = await sql<{ maintenance: boolean; n: number | null }[]>`
    select i.maintenance, gone.n::int as n
    from installation i left join (
      select asked.n
      from unnest(${asked.map(({ operatorId }) => operatorId)}::uuid[],
          ${asked.map(({ sessionId }) => sessionId)}::uuid[])
          with ordinality as asked (operator_id, session_id, n)
        left join user_sessions s on s.id = asked.session_id and s.expires_at > now()
        left join users u on u.id = s.user_id
        left join operators o on o.project_id = ${projectId} and o.id = asked.operator_id
          and o.user_id = u.id and o.removed_at is null
        left join projects p on p.id = ${projectId} and o.id is not null and p.suspended_at is null
          and (u.two_factor_enabled or not p.requires_second_factor
            or (s.provider is not null and ${providerCounts}))
      where p.id is null
    ) gone on true`
  return {
    isMaintenance: rows[0]?.maintenance ?? false,
    revoked: new Set(rows.flatMap(({ n }) => (n === null ? [] : asked[n - 1]!.id))),
  }
}

export const updateNames = (sql: Sql, userId: string, name: string) => sql`
  update operators set name = ${name} where user_id = ${userId} and removed_at is null`

export async function findPersonByEmail(
  sql: Sql,
  projectId: string,
  email: string,
): Promise<{ id: string; user_id: string | null } | null> {
  const spellings = sql`${listSpellings(email)}::text[]`
  const [row] = await sql<{ id: string; user_id: string | null }[]>`
    select id, user_id from operators
    where project_id = ${projectId} and lower(email) = any(${spellings}) and removed_at is null
    order by array_position(${spellings}, lower(email)) limit 1`
  return row ?? null
}
