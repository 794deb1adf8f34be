import type { Sql } from '../core/db.ts'
import { findProject } from '../projects/projects.ts'
import type { ProjectReport } from './schema.ts'
import { findTerms, findUsage } from './usage.ts'

/** What a key's owner may know of the project and its plan. */
export async function reportProject(sql: Sql, projectId: string): Promise<ProjectReport> {
  const { id, name, created_at } = await findProject(sql, projectId)
  const { plan, features } = await findTerms(sql, id)
  return { id, name, plan, features, tickets: await findUsage(sql, id), created_at }
}
