import Type, { type Static } from 'typebox'
import { recordAudit } from '../audit/audit.ts'
import { anyId, type Db, type Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { ApiError, refuse } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { type ChangedBy, changedBy } from '../events/ticket-history.ts'
import { type Tx, transact } from '../events/transaction.ts'
import { findDepartment } from './operator-rows.ts'
import { insertDepartment } from './queries.ts'
import type { Department, DepartmentChange } from './schema.ts'

const target = ({ id, name }: { id: string; name: string }) => ({ type: 'department', id, name })

export async function addDepartment(db: Db, { project, actor }: Caller, name: string): Promise<Department> {
  const id = newId()
  await db.begin(async tx => {
    if (!(await insertDepartment(tx, project.id, { id, name }))) throw new ApiError('DEPARTMENT_EXISTS')
    await recordAudit(tx, project.id, actor, 'department.created', target({ id, name }))
  })
  return (await findDepartment(db, project.id, id))!
}

/** Locks the project too, because changing the default takes two steps. */
async function lockDepartment(tx: Sql, projectId: string, id: string): Promise<Department> {
  await tx`select from projects where id = ${projectId} for no key update`
  const department = await findDepartment(tx, projectId, id)
  if (!department) throw new ApiError('DEPARTMENT_NOT_FOUND')
  return department
}

async function rename(tx: Sql, projectId: string, id: string, name: string): Promise<void> {
  const [other] = await tx`
    select from departments where project_id = ${projectId} and lower(name) = lower(${name}) and id <> ${id}`
  if (other) throw new ApiError('DEPARTMENT_EXISTS')
  await tx`update departments set name = ${name} where project_id = ${projectId} and id = ${id}`
}

const setSignature = (tx: Sql, projectId: string, id: string, signature: string) => tx`
  update departments set signature = ${signature.trim()} where project_id = ${projectId} and id = ${id}`

async function makeDefault(tx: Sql, projectId: string, id: string): Promise<void> {
  await tx`update departments set is_default = false where project_id = ${projectId} and is_default`
  await tx`update departments set is_default = true where project_id = ${projectId} and id = ${id}`
}

async function setOperators(tx: Sql, projectId: string, id: string, operatorIds: string[]): Promise<void> {
  const ids = [...new Set(operatorIds)]
  await tx`delete from department_operators where project_id = ${projectId} and department_id = ${id}`
  const { count } = await tx`
    insert into department_operators (project_id, department_id, operator_id)
    select project_id, ${id}, id from operators
    where project_id = ${projectId} and id = ${anyId(tx, ids)} and removed_at is null`
  if (count !== ids.length) throw refuse('operator_ids', 'not_found')
}

export async function changeDepartment(
  db: Db,
  { project, actor }: Caller,
  id: string,
  change: DepartmentChange,
): Promise<Department> {
  return db.begin(async tx => {
    const department = await lockDepartment(tx, project.id, id)
    if (change.name !== undefined) await rename(tx, project.id, id, change.name)
    if (change.is_default) await makeDefault(tx, project.id, id)
    if (change.signature !== undefined) await setSignature(tx, project.id, id, change.signature)
    if (change.operator_ids) await setOperators(tx, project.id, id, change.operator_ids)
    await recordAudit(tx, project.id, actor, 'department.changed', target(department), { ...change })
    return (await findDepartment(tx, project.id, id))!
  })
}

export const departmentEnd = Type.Object({
  tickets_to: Type.Optional(
    Type.String({ description: 'The department that gets its tickets; the default one if none is named' }),
  ),
})
export type DepartmentEnd = Static<typeof departmentEnd>

/** Moves the tickets of a department to another one. Implemented by `tickets`. */
export type Move = (tx: Tx, by: ChangedBy, from: string, to: Department) => Promise<unknown>

async function chooseHeir(tx: Tx, id: string, given: string | undefined): Promise<Department> {
  if (given === id) throw refuse('tickets_to', 'same')
  const chosen = given ?? (await getDefaultId(tx))
  const heir = await findDepartment(tx, tx.projectId, chosen)
  if (!heir) throw refuse('tickets_to', 'not_found')
  return heir
}

async function getDefaultId(tx: Tx): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    select id from departments where project_id = ${tx.projectId} and is_default`
  return row!.id
}

export async function deleteDepartment(
  db: Db,
  { project, actor }: Caller,
  id: string,
  { tickets_to }: DepartmentEnd,
  move: Move,
): Promise<void> {
  await transact(db, project.id, async tx => {
    const department = await lockDepartment(tx, project.id, id)
    if (department.is_default) throw new ApiError('DEFAULT_DEPARTMENT')
    const heir = await chooseHeir(tx, id, tickets_to)
    await move(tx, changedBy({ actor }), id, heir)
    await tx`delete from departments where project_id = ${project.id} and id = ${id}`
    await recordAudit(tx, project.id, actor, 'department.deleted', target(department), {
      tickets_to: heir.name,
    })
  })
}
