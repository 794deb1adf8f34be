import { recordAudit } from '../audit/audit.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { isId, newId } from '../core/ids.ts'
import { listAll } from '../core/paging/listing.ts'
import type { Listed } from '../core/paging/paging.ts'
import type { OperatorRole } from '../core/roles.ts'
import { UserError } from '../core/user-error.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { findProject, UnknownIdError } from '../projects/projects.ts'
import { findPersonByEmail, listMembershipsOf } from './people-queries.ts'
import {
  findDepartmentId,
  insertDepartment,
  insertMembership,
  insertOperator,
  listDepartments,
  listOperators,
  lockOperatorLimit,
} from './queries.ts'
import type { Department, Operator, PeopleQuery } from './schema.ts'

export async function findOperator(sql: Sql, projectId: string, id: string): Promise<Operator | null> {
  if (!isId(id)) return null
  const [row] = await listOperators(sql, projectId, [id])
  return row ?? null
}

export async function findDepartment(sql: Sql, projectId: string, id: string): Promise<Department | null> {
  if (!isId(id)) return null
  const [row] = await listDepartments(sql, projectId, [id])
  return row ?? null
}

/** Whether the department exists. It cannot be deleted before the transaction ends. */
export async function lockDepartmentRow(tx: Sql, projectId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false
  const { count } = await tx`
    select from departments where project_id = ${projectId} and id = ${id} for key share`
  return count > 0
}

export const pageOperators = (sql: Sql, projectId: string, query: PeopleQuery): Promise<Listed<Operator>> =>
  listAll(
    sql,
    projectId,
    'operators',
    ids => listOperators(sql, projectId, ids),
    query,
    sql`x.removed_at is null`,
  )

export const pageDepartments = (
  sql: Sql,
  projectId: string,
  query: PeopleQuery,
): Promise<Listed<Department>> =>
  listAll(sql, projectId, 'departments', ids => listDepartments(sql, projectId, ids), query)

export interface NewOperator {
  name: string
  email: string
  role?: OperatorRole
  /** The id or name of the department. */
  department?: string
}

async function getDepartmentId(sql: Sql, projectId: string, word: string): Promise<string> {
  const id =
    (await findDepartment(sql, projectId, word))?.id ?? (await findDepartmentId(sql, projectId, word))
  if (!id) throw new UnknownIdError('Department', word)
  return id
}

export type AddOperatorResult = { id: string } | 'known' | { seats: number }

/** Adds an operator if the plan has a free seat. */
export async function addOperator(
  tx: Sql,
  projectId: string,
  { name, email, role }: { name: string; email: string; role: OperatorRole },
): Promise<AddOperatorResult> {
  const { seats, taken } = await lockOperatorLimit(tx, projectId)
  if (seats !== null && taken >= seats) return { seats }
  if (await findPersonByEmail(tx, projectId, email)) return 'known'
  const id = await insertOperator(tx, projectId, { id: newId(), name, email, role })
  return id ? { id } : 'known'
}

export async function createOperator(
  store: DbOrTx,
  projectId: string,
  input: NewOperator,
): Promise<Operator> {
  const { name, email, role = 'operator', department } = input
  await findProject(store, projectId)
  const departmentId = department && (await getDepartmentId(store, projectId, department))
  const id = await transact(store, projectId, async tx => {
    const added = await addOperator(tx, projectId, { name, email, role })
    if (added === 'known')
      throw new UserError(`The project already has an operator with the address ${email}`)
    if ('seats' in added)
      throw new UserError(
        `The plan has room for ${added.seats} operator${added.seats === 1 ? '' : 's'}; choose a larger one`,
      )
    if (departmentId) await insertMembership(tx, projectId, departmentId, added.id)
    return added.id
  })
  return (await findOperator(store, projectId, id))!
}

export async function createDepartment(sql: Sql, projectId: string, name: string): Promise<Department> {
  await findProject(sql, projectId)
  const id = newId()
  if (!(await insertDepartment(sql, projectId, { id, name })))
    throw new UserError(`The project already has a department "${name}"`)
  return (await findDepartment(sql, projectId, id))!
}

/** Records that sign-in to this account was blocked for a while after wrong passwords. */
export async function recordSignInLock(db: Db, email: string): Promise<void> {
  for (const { project_id, id, name } of await listMembershipsOf(db, email)) {
    await recordAudit(db, project_id, { type: 'system' }, 'operator.sign_in_locked', {
      type: 'operator',
      id,
      name,
    })
  }
}
