import type { Sql } from '../core/db/db.ts'
import type { Feature, Usage } from './schema.ts'

/** The limits and features of a project: those of the paid period, or of the current plan if it has no end. */
export interface Terms {
  plan: string
  monthly_ticket_limit: number | null
  features: Record<Feature, boolean>
  operator_seats: number | null
}

export async function findTerms(sql: Sql, projectId: string): Promise<Terms> {
  const [terms] = await sql<Terms[]>`
    select plan, monthly_ticket_limit, operator_seats,
      jsonb_build_object('knowledge_base', coalesce((features ->> 'knowledge_base')::boolean, false)) as features
    from project_terms where project_id = ${projectId}`
  return terms!
}

export async function hasFeature(sql: Sql, projectId: string, feature: Feature): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select coalesce((features ->> ${feature})::boolean, false) as has
    from project_terms where project_id = ${projectId}`
  return row?.has ?? false
}

/** The ticket limit of the project's plan, and how much of it this UTC month has used. */
export async function findUsage(sql: Sql, projectId: string): Promise<Usage> {
  const [usage] = await sql<Usage[]>`
    select t.monthly_ticket_limit as limit,
      case when c.month = date_trunc('month', now(), 'UTC') then c.month_tickets else 0 end as used,
      date_trunc('month', now(), 'UTC') + interval '1 month' as resets_at
    from project_terms t join project_counters c using (project_id)
    where t.project_id = ${projectId}`
  return usage!
}

/**
 * Locks the usage until the transaction ends. The lock is a separate statement, so that the next statement reads what the
 * previous holder committed.
 */
export async function lockUsage(sql: Sql, projectId: string): Promise<Usage> {
  const usage = await findUsage(sql, projectId)
  if (usage.limit === null) return usage
  await sql`select from project_counters where project_id = ${projectId} for update`
  return findUsage(sql, projectId)
}
