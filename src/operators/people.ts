import { type AuditAuthor, recordAudit } from '../audit/audit.ts'
import type { Db, Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { type ChangedBy, changedBy } from '../events/ticket-history.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { endSessions } from '../users/users.ts'
import {
  countOwners,
  deleteMemberships,
  deletePerson,
  insertMemberships,
  type LockedPerson,
  listMemberships,
  listPeople,
  lockPerson,
  updatePerson,
} from './people-queries.ts'
import type { Person, PersonChange } from './schema.ts'
import { endPresence } from './status.ts'

export async function getPerson(sql: Sql, projectId: string, id: string): Promise<Person> {
  const [person] = isId(id) ? await listPeople(sql, projectId, id) : []
  if (!person) throw new ApiError('OPERATOR_NOT_FOUND')
  return person
}

export async function lockExistingPerson(tx: Sql, projectId: string, id: string): Promise<LockedPerson> {
  const person = isId(id) ? await lockPerson(tx, projectId, id) : null
  if (!person) throw new ApiError('OPERATOR_NOT_FOUND')
  return person
}

/** Who changes a person: somebody in the project, or the person's groups at the provider. */
type Changer = Pick<Caller, 'project'> & { actor: AuditAuthor }

/** Only owners may change owners. */
export function requireOwner({ actor }: Pick<Changer, 'actor'>): void {
  if (actor.type === 'operator' && actor.role !== 'owner')
    throw new ApiError('ROLE_REQUIRED', { role: 'owner' })
}

/** A project without an owner who can sign in could not be recovered in the dashboard. */
async function requireOtherOwner(tx: Sql, projectId: string, person: LockedPerson): Promise<void> {
  if (person.role !== 'owner' || person.user_id === null) return
  if ((await countOwners(tx, projectId)) < 2) throw new ApiError('LAST_OWNER')
}

export async function setDepartments(
  tx: Sql,
  projectId: string,
  operatorId: string,
  ids: string[],
): Promise<void> {
  await deleteMemberships(tx, projectId, operatorId)
  if (!(await insertMemberships(tx, projectId, operatorId, ids))) throw refuse('department_ids', 'not_found')
}

export async function changePerson(
  db: Db,
  caller: Changer,
  id: string,
  change: PersonChange,
): Promise<Person> {
  const projectId = caller.project.id
  const { name, role, department_ids } = change
  await transact(db, projectId, async tx => {
    const person = await lockExistingPerson(tx, projectId, id)
    const changesRole = role !== undefined && role !== person.role
    if (person.role === 'owner' || (changesRole && role === 'owner')) requireOwner(caller)
    if (changesRole) await requireOtherOwner(tx, projectId, person)
    await updatePerson(tx, projectId, id, { name, role })
    if (department_ids) await setDepartments(tx, projectId, id, department_ids)
    const detail = { ...change, ...(changesRole && { role, role_before: person.role }) }
    await recordAudit(
      tx,
      projectId,
      caller.actor,
      'operator.changed',
      { type: 'operator', id, name: person.name },
      detail,
    )
  })
  return getPerson(db, projectId, id)
}

/** Releases the tickets of an operator who leaves. Implemented by `tickets`. */
export type ReleaseTickets = (tx: Tx, by: ChangedBy, operatorId: string) => Promise<unknown>

/** Removes the access but keeps the name, for the history. */
export async function removePerson(
  db: Db,
  caller: Caller,
  id: string,
  release: ReleaseTickets,
): Promise<void> {
  const projectId = caller.project.id
  await transact(db, projectId, async tx => {
    const person = await lockExistingPerson(tx, projectId, id)
    if (person.role === 'owner') requireOwner(caller)
    await requireOtherOwner(tx, projectId, person)
    await release(tx, changedBy(caller), id)
    await endPresence(tx, id)
    await deletePerson(tx, projectId, id)
    await deleteMemberships(tx, projectId, id)
    await tx`delete from links where project_id = ${projectId} and operator_id = ${id} and used_at is null`
    if (person.user_id && (await listMemberships(tx, person.user_id)).length === 0)
      await endSessions(tx, person.user_id)
    const target = { type: 'operator', id, name: person.name }
    await recordAudit(tx, projectId, caller.actor, 'operator.removed', target, {
      email: person.email,
      role: person.role,
    })
  })
}

export { listPeople }
