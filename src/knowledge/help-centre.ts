import { hasFeature } from '../billing/billing.ts'
import type { Sql } from '../core/db/db.ts'
import { UserError } from '../core/user-error.ts'
import { findProject } from '../projects/projects.ts'
import { listLocales } from './queries.ts'

export interface HelpCentre {
  id: string
  name: string
  slug: string
  color: string | null
  logo_url: string | null
  default_locale: string
  /** Locales with published articles, in alphabetical order. */
  locales: string[]
}

/** The public help centre of a project; null if it is switched off, the project is suspended, or its plan has no knowledge base. */
export async function findHelpCentre(sql: Sql, slug: string): Promise<HelpCentre | null> {
  if (slug.includes('\0')) return null
  const [project] = await sql<Omit<HelpCentre, 'locales'>[]>`
    select id, name, slug, color, logo_url, default_locale from projects
    where slug = ${slug} and has_help_centre and suspended_at is null`
  if (!project || !(await hasFeature(sql, project.id, 'knowledge_base'))) return null
  return { ...project, locales: await listLocales(sql, project.id) }
}

export interface HelpCentreChange {
  slug?: string
  color?: string | null
  logo_url?: string | null
  default_locale?: string
  has_help_centre?: boolean
}

const isTaken = async (sql: Sql, projectId: string, slug: string): Promise<boolean> =>
  (await sql`select from projects where slug = ${slug} and id <> ${projectId}`).length > 0

/** Changes the given fields and returns the new state. */
export async function changeHelpCentre(sql: Sql, projectId: string, change: HelpCentreChange) {
  await findProject(sql, projectId)
  if (change.slug !== undefined && (await isTaken(sql, projectId, change.slug)))
    throw new UserError(`The slug "${change.slug}" belongs to another project; choose another one`)
  if (Object.keys(change).length > 0)
    await sql`update projects set ${sql(change)}, version = version + 1 where id = ${projectId}`
  const [row] = await sql<(Required<HelpCentreChange> & { slug: string | null })[]>`
    select slug, color, logo_url, default_locale, has_help_centre from projects where id = ${projectId}`
  return row!
}
