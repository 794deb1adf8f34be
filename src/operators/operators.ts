import type { Db, Sql } from '../core/db.ts'
import type { Role } from '../core/endpoint.ts'
import { isId, newId } from '../core/ids.ts'
import { listAll } from '../core/listing.ts'
import { Mistake } from '../core/mistake.ts'
import type { Listed } from '../core/paging.ts'
import { findProject, UnknownId } from '../projects/projects.ts'
import {
  findDepartmentId,
  insertDepartment,
  insertMembership,
  insertOperator,
  listDepartments,
  listOperators,
  lockSeats,
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

export const pageOperators = (sql: Sql, projectId: string, query: PeopleQuery): Promise<Listed<Operator>> =>
  listAll(sql, projectId, 'operators', ids => listOperators(sql, projectId, ids), query)

export const pageDepartments = (
  sql: Sql,
  projectId: string,
  query: PeopleQuery,
): Promise<Listed<Department>> =>
  listAll(sql, projectId, 'departments', ids => listDepartments(sql, projectId, ids), query)

export interface NewOperator {
  name: string
  email: string
  role?: Role
  /** Its id or its name. */
  department?: string
}

async function getDepartmentId(sql: Sql, projectId: string, word: string): Promise<string> {
  const id =
    (await findDepartment(sql, projectId, word))?.id ?? (await findDepartmentId(sql, projectId, word))
  if (!id) throw new UnknownId('Department', word)
  return id
}

export async function createOperator(db: Db, projectId: string, input: NewOperator): Promise<Operator> {
  const { name, email, role = 'operator', department } = input
  await findProject(db, projectId)
  const departmentId = department && (await getDepartmentId(db, projectId, department))
  const id = newId()
  await db.begin(async tx => {
    const { seats, taken } = await lockSeats(tx, projectId)
    if (seats !== null && taken >= seats)
      throw new Mistake(
        `The plan has room for ${seats} operator${seats === 1 ? '' : 's'}; choose a larger one`,
      )
    if (!(await insertOperator(tx, projectId, { id, name, email, role })))
      throw new Mistake(`The project already has an operator with the address ${email}`)
    if (departmentId) await insertMembership(tx, projectId, departmentId, id)
  })
  return (await findOperator(db, projectId, id))!
}

export async function createDepartment(db: Db, projectId: string, name: string): Promise<Department> {
  await findProject(db, projectId)
  const id = newId()
  if (!(await insertDepartment(db, projectId, { id, name })))
    throw new Mistake(`The project already has a department "${name}"`)
  return (await findDepartment(db, projectId, id))!
}
