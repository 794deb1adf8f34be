import type { Sql } from '../core/db.ts'
import type { Actor } from '../core/endpoint.ts'
import type { AuditAction } from './actions.ts'
import { insertAuditEntries } from './queries.ts'

/** Who changes something; a command line knows only the project. */
export type AuditAuthor = Actor | { type: 'cli' } | { type: 'system' }

export interface AuditTarget {
  /** A noun of the product: `key`, `operator`, `webhook`. */
  type: string
  id?: string | null
  name?: string | null
}

/** Writes down a change of settings, keys, people or money, in the transaction of the change. No secrets in `detail`. */
export const recordAudit = (
  sql: Sql,
  projectId: string,
  author: AuditAuthor,
  action: AuditAction,
  target: AuditTarget,
  detail?: Record<string, unknown>,
): Promise<void> => recordAudits(sql, [projectId], author, action, target, detail)

/** A change of the installation stands in the log of every project that it concerns. */
export async function recordAudits(
  sql: Sql,
  projectIds: string[],
  author: AuditAuthor,
  action: AuditAction,
  target: AuditTarget,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await insertAuditEntries(sql, projectIds, {
    // No contact changes what is written down here.
    author_type: author.type === 'contact' ? 'system' : author.type,
    author_id: 'id' in author ? author.id : null,
    author_name: author.type === 'operator' ? author.name : null,
    action,
    target_type: target.type,
    target_id: target.id ?? null,
    target_name: target.name ?? null,
    detail,
  })
}

export type { AuditAction } from './actions.ts'
export { pageAuditEntries } from './list.ts'
