import type { Sql } from '../core/db/db.ts'
import { isId, newId } from '../core/ids.ts'
import { asciiSlug } from '../core/text/slug.ts'
import { UserError } from '../core/user-error.ts'

export interface Project {
  id: string
  name: string
  plan: string
  is_suspended: boolean
  suspended_reason: string | null
  is_deleting: boolean
  created_at: string
}

/** An id or code on the command line does not exist. */
export class UnknownIdError extends UserError {
  constructor(noun: string, id: string, hint?: string) {
    super([`${noun} "${id}" does not exist`, hint].filter(Boolean).join('; '))
  }
}

const columns = (sql: Sql) => sql`id, name, plan, suspended_at is not null as is_suspended,
  suspended_reason, deleting_since is not null as is_deleting, created_at`

export async function findProject(sql: Sql, id: string): Promise<Project> {
  const [project] = isId(id)
    ? await sql<Project[]>`select ${columns(sql)} from projects where id = ${id}`
    : []
  if (!project) throw new UnknownIdError('Project', id)
  return project
}

/** The slug is made from the name. If another project has it, the end of the id is appended. */
export async function createProject(sql: Sql, { name, plan = 'unlimited' }: { name: string; plan?: string }) {
  const [known] = await sql`select from plans where code = ${plan}`
  if (!known) throw new UnknownIdError('Plan', plan)
  const id = newId()
  const own = asciiSlug(name) || 'project'
  const slug = (await insertProject(sql, { id, name, plan, slug: own })) ?? `${own}-${id.slice(-12)}`
  if (slug !== own) await insertProject(sql, { id, name, plan, slug })
  return { id, name, plan, slug }
}

/** Null if another project has the slug. Two projects created at the same time may both try it. */
async function insertProject(
  sql: Sql,
  { id, name, plan, slug }: { id: string; name: string; plan: string; slug: string },
): Promise<string | null> {
  const { count } = await sql`
    with project as (
      insert into projects (id, name, plan, slug) values (${id}, ${name}, ${plan}, ${slug})
      on conflict (slug) do nothing returning id
    ) insert into project_counters (project_id) select ${id} from project`
  return count > 0 ? slug : null
}

export const listProjects = (sql: Sql): Promise<Project[]> =>
  sql<Project[]>`
  select ${columns(sql)} from projects order by created_at, id`.then(rows => [...rows])

/** From the next request on, every key of the project gets 401. */
export async function suspendProject(sql: Sql, id: string, reason: string | null = null): Promise<void> {
  await findProject(sql, id)
  await sql`
    update projects set suspended_at = least(suspended_at, now()),
      suspended_reason = coalesce(${reason}, suspended_reason) where id = ${id}`
}

export async function resumeProject(sql: Sql, id: string): Promise<void> {
  const { is_deleting, name } = await findProject(sql, id)
  if (is_deleting) throw new UserError(`Project "${name}" is being deleted; it cannot be resumed`)
  await sql`update projects set suspended_at = null, suspended_reason = null where id = ${id}`
}
