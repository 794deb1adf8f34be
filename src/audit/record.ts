import type { Sql } from '../core/db/db.ts'
import type { Actor } from '../core/endpoint.ts'
import type { AuditAction } from './actions.ts'
import { insertAuditEntry } from './queries.ts'

/** Who made a change. The command line knows only the project. */
export type AuditAuthor = Actor | { type: 'cli' } | { type: 'system' }

export interface AuditTarget {
  /** A noun of the product: `key`, `operator`, `webhook`. */
  type: string
  id?: string | null
  name?: string | null
}

/** The columns that say who made a change. */
export const authorColumns = (author: AuditAuthor) => ({
  // Contacts cannot make changes that are recorded.
  author_type: author.type === 'contact' ? ('system' as const) : author.type,
  author_id: 'id' in author ? author.id : null,
  author_name: author.type === 'operator' ? author.name : null,
})

/** Records a change of settings, keys, people or money, in the transaction of the change. `detail` must not contain secrets. */
export const recordAudit = (
  sql: Sql,
  projectId: string,
  author: AuditAuthor,
  action: AuditAction,
  target: AuditTarget,
  detail?: Record<string, unknown>,
): Promise<void> => recordAudits(sql, [projectId], author, action, target, detail)

/** Records a change of the installation in the log of every affected project. */
export async function recordAudits(
  sql: Sql,
  projectIds: string[],
  author: AuditAuthor,
  action: AuditAction,
  target: AuditTarget,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const entry = {
    ...authorColumns(author),
    action,
    target_type: target.type,
    target_id: target.id ?? null,
    target_name: target.name ?? null,
    detail,
  }
  for (const projectId of projectIds) await insertAuditEntry(sql, projectId, entry)
}
