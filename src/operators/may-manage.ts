import type { Sql } from '../core/db/db.ts'
import { type OperatorRole, roles } from '../core/roles.ts'
import type { Link } from '../users/users.ts'
import { listMemberships } from './people-queries.ts'

async function findPerson(sql: Sql, projectId: string, id: string): Promise<{ role: OperatorRole } | null> {
  const [row] = await sql<{ role: OperatorRole }[]>`
    select role from operators where project_id = ${projectId} and id = ${id} and removed_at is null`
  return row ?? null
}

/** Whether a role has power over another: admins over admins and operators, owners over everybody. */
const isAbove = (mine: OperatorRole | undefined, theirs: OperatorRole): boolean =>
  mine !== undefined && mine !== 'operator' && roles.indexOf(mine) >= roles.indexOf(theirs)

const rolesOf = async (sql: Sql, userId: string): Promise<Map<string, OperatorRole>> =>
  new Map((await listMemberships(sql, userId)).map(({ project_id, role }) => [project_id, role]))

/** Requires power in every project of the other person, because anyone who sets a person's password can act as that person everywhere. */
export async function mayManageUser(sql: Sql, userId: string, otherId: string): Promise<boolean> {
  const [mine, theirs] = [await rolesOf(sql, userId), await rolesOf(sql, otherId)]
  return [...theirs].every(([projectId, role]) => isAbove(mine.get(projectId), role))
}

/** Checked when a link is used, because the role of its creator, who knows the link, may have changed since it was made. */
export async function isLinkAuthorized(sql: Sql, link: Link): Promise<boolean> {
  const { made_by, purpose, project_id, operator_id, user_id } = link
  if (!made_by) return true
  if (purpose === 'reset') return mayManageUser(sql, made_by, user_id!)
  const invited = await findPerson(sql, project_id!, operator_id!)
  return invited !== null && isAbove((await rolesOf(sql, made_by)).get(project_id!), invited.role)
}
