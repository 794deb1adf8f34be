import { type AuditAction, type AuditTarget, recordAudit, recordAudits } from '../audit/audit.ts'
import type { Db, Sql } from '../core/db.ts'
import { type Tx, transact } from '../events/transaction.ts'

/** The command line changes what people change too, and so it is written down beside what they do. */

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

/** A change of the installation, in the log of each project that feels it. */
export const auditInProjects = (
  sql: Sql,
  projectIds: string[],
  { action, target, detail }: AuditedChange,
): Promise<void> => recordAudits(sql, projectIds, { type: 'cli' }, action, target, detail)

/** A change with what is noted of it, of which there may be nothing: both in one transaction. */
export const changeAudited = <T>(
  db: Db,
  projectId: string,
  work: (tx: Tx) => Promise<T>,
  tell: (done: T) => AuditedChange | null,
): Promise<T> =>
  transact(db, projectId, async tx => {
    const done = await work(tx)
    const noted = tell(done)
    if (noted) await auditCommand(tx, projectId, noted)
    return done
  })
