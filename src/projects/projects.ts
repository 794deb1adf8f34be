import type { Sql } from '../core/db.ts'
import { isId, newId } from '../core/ids.ts'

export interface Project {
  id: string
  name: string
  plan: string
  is_suspended: boolean
  created_at: string
}

/** The command line was given an id or a code that does not exist. */
export class UnknownId extends Error {
  constructor(noun: string, id: string) {
    super(`${noun} "${id}" does not exist`)
  }
}

const columns = (sql: Sql) => sql`id, name, plan, suspended_at is not null as is_suspended, created_at`

export async function findProject(sql: Sql, id: string): Promise<Project> {
  const [project] = isId(id)
    ? await sql<Project[]>`select ${columns(sql)} from projects where id = ${id}`
    : []
  if (!project) throw new UnknownId('Project', id)
  return project
}

export async function createProject(sql: Sql, { name, plan = 'unlimited' }: { name: string; plan?: string }) {
  const id = newId()
  const { count } = await sql`
    with project as (
      insert into projects (id, name, plan) select ${id}, ${name}, code from plans where code = ${plan} returning id
    ) insert into project_counters (project_id) select id from project`
  if (!count) throw new UnknownId('Plan', plan)
  return { id, name, plan }
}

export const listProjects = (sql: Sql): Promise<Project[]> =>
  sql<Project[]>`
  select ${columns(sql)} from projects order by created_at, id`.then(rows => [...rows])

/** From the next request on, every key of the project is answered 401. */
export async function suspendProject(sql: Sql, id: string): Promise<void> {
  await findProject(sql, id)
  await sql`update projects set suspended_at = coalesce(suspended_at, now()) where id = ${id}`
}

export async function resumeProject(sql: Sql, id: string): Promise<void> {
  await findProject(sql, id)
  await sql`update projects set suspended_at = null where id = ${id}`
}
