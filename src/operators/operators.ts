import type { Sql } from '../core/db.ts'
import { isId, newId } from '../core/ids.ts'

export interface Operator {
  id: string
  name: string
  avatar_url: string | null
}

export interface Department {
  id: string
  name: string
}

export async function findOperator(sql: Sql, projectId: string, id: string): Promise<Operator | null> {
  if (!isId(id)) return null
  const [row] = await sql<Operator[]>`
    select id, name, avatar_url from operators where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export async function findDepartment(sql: Sql, projectId: string, id: string): Promise<Department | null> {
  if (!isId(id)) return null
  const [row] = await sql<Department[]>`
    select id, name from departments where project_id = ${projectId} and id = ${id}`
  return row ?? null
}

export async function createOperator(sql: Sql, projectId: string, input: { name: string; email: string }) {
  const id = newId()
  await sql`
    insert into operators (project_id, id, name, email) values (${projectId}, ${id}, ${input.name}, ${input.email})`
  return { id, ...input }
}

export async function createDepartment(sql: Sql, projectId: string, name: string): Promise<Department> {
  const id = newId()
  await sql`insert into departments (project_id, id, name) values (${projectId}, ${id}, ${name})`
  return { id, name }
}
