import type { Config } from '../core/config/config.ts'
import type { Db } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import { type OperatorRole, roles } from '../core/roles.ts'
import type { Log } from '../core/telemetry/log.ts'
import { findGroups } from '../users/users.ts'
import { changePerson, getPerson } from './people.ts'
import { listMemberships, type MembershipRow } from './people-queries.ts'
import { findDepartmentId } from './queries.ts'
import type { PersonChange } from './schema.ts'

export interface GroupDeps {
  config: Pick<Config, 'oidcGroups'>
  db: Db
  log: Log
}

type Rules = Config['oidcGroups']

const highestOf = (rules: Rules): OperatorRole =>
  roles.findLast(role => rules.some(rule => rule.role === role)) ?? 'operator'

async function listDepartmentIds(db: Db, projectId: string, rules: Rules): Promise<string[]> {
  const names = new Set(rules.flatMap(({ department }) => department ?? []))
  const ids = await Promise.all([...names].map(name => findDepartmentId(db, projectId, name)))
  return ids.filter(id => id !== null)
}

const isSame = (one: string[], other: string[]): boolean =>
  new Set(one).symmetricDifference(new Set(other)).size === 0

/** The differences between the person and the groups. Departments that no rule names do not change. */
async function compare(
  db: Db,
  { project_id, id }: MembershipRow,
  all: Rules,
  own: Rules,
): Promise<PersonChange> {
  const { role, department_ids } = await getPerson(db, project_id, id)
  const ruled = await listDepartmentIds(db, project_id, all)
  const wanted = [
    ...department_ids.filter(one => !ruled.includes(one)),
    ...(await listDepartmentIds(db, project_id, own)),
  ]
  return {
    ...(role !== highestOf(own) && { role: highestOf(own) }),
    ...(!isSame(wanted, department_ids) && { department_ids: wanted }),
  }
}

async function change(
  { db, log }: GroupDeps,
  membership: MembershipRow,
  change: PersonChange,
): Promise<void> {
  const { project_id, project_name, id } = membership
  const caller = { project: { id: project_id, name: project_name }, actor: { type: 'system' as const } }
  try {
    await changePerson(db, caller, id, change)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'LAST_OWNER')) throw error
    log.warn(
      { project: project_id },
      'The last owner of a project has groups for another role; the owner keeps the role',
    )
  }
}

/** Gives the person in every project the role and departments of their groups at the provider. */
export async function followGroups(deps: GroupDeps, userId: string): Promise<void> {
  const { config, db } = deps
  const groups = await findGroups(db, userId)
  if (config.oidcGroups.length === 0 || groups === null) return
  const own = config.oidcGroups.filter(({ group }) => groups.includes(group))
  for (const membership of await listMemberships(db, userId)) {
    const { role, ...rest } = await compare(db, membership, config.oidcGroups, own)
    if (role) await change(deps, membership, { role })
    if (rest.department_ids) await change(deps, membership, rest)
  }
}
