import type { Sql } from '../core/db/db.ts'
import { findProject } from '../projects/projects.ts'
import type { ProjectReport } from './schema.ts'
import { findTerms, findUsage } from './usage.ts'

/** The data about the project and its plan that an API key may read. */
export async function reportProject(sql: Sql, projectId: string): Promise<ProjectReport> {
  const { id, name, created_at } = await findProject(sql, projectId)
  const { plan, features } = await findTerms(sql, id)
  return { id, name, plan, features, tickets: await findUsage(sql, id), created_at }
}
