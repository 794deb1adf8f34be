import type { Sql } from '../core/db.ts'
import type { Actor } from '../core/endpoint.ts'
import type { AuditAction } from './actions.ts'
import { insertEntries } from './queries.ts'

/** Who made a change. The command line knows only the project. */
export type Author = Actor | { type: 'cli' } | { type: 'system' }

export interface Target {
  /** A noun of the product: `key`, `operator`, `webhook`. */
  type: string
  id?: string | null
  name?: string | null
}

/** Records a change of settings, keys, people or money, in the transaction of the change. `detail` must not contain secrets. */
export const note = (
  sql: Sql,
  projectId: string,
  author: Author,
  action: AuditAction,
  target: Target,
  detail?: Record<string, unknown>,
): Promise<void> => noteEach(sql, [projectId], author, action, target, detail)

/** Records a change of the installation in the log of every affected project. */
export async function noteEach(
  sql: Sql,
  projectIds: string[],
  author: Author,
  action: AuditAction,
  target: Target,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await insertEntries(sql, projectIds, {
    // Contacts cannot make changes that are recorded here.
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
export { pageEntries } from './list.ts'
