import { type AuditAction, type AuditTarget, recordAudit, recordAudits } from '../audit/audit.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { type Tx, transact } from '../events/transaction.ts'

/** Changes by the command line are recorded in the audit log, like those of people. */

export interface AuditedChange {
  action: AuditAction
  target: AuditTarget
  detail?: Record<string, unknown>
}

export const auditCommand = (
  sql: Sql,
  projectId: string,
  { action, target, detail }: AuditedChange,
): Promise<void> => recordAudit(sql, projectId, { type: 'cli' }, action, target, detail)

/** Records a change of the installation in the log of each affected project. */
export const auditInProjects = (
  sql: Sql,
  projectIds: string[],
  { action, target, detail }: AuditedChange,
): Promise<void> => recordAudits(sql, projectIds, { type: 'cli' }, action, target, detail)

/** Makes a change and records it in one transaction. Nothing is recorded if `describe` returns null. */
export const changeAudited = <T>(
  db: Db,
  projectId: string,
  work: (tx: Tx) => Promise<T>,
  describe: (done: T) => AuditedChange | null,
): Promise<T> =>
  transact(db, projectId, async tx => {
    const done = await work(tx)
    const noted = describe(done)
    if (noted) await auditCommand(tx, projectId, noted)
    return done
  })
