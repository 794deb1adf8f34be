import { type AuditAction, note, noteEach, type Target } from '../audit/audit.ts'
import type { Db, Sql } from '../core/db.ts'
import { type Tx, transact } from '../events/transaction.ts'

/** The command line changes what people change too, and so it is written down beside what they do. */

export interface Noted {
  action: AuditAction
  target: Target
  detail?: Record<string, unknown>
}

export const noteCommand = (sql: Sql, projectId: string, { action, target, detail }: Noted): Promise<void> =>
  note(sql, projectId, { type: 'cli' }, action, target, detail)

/** A change of the installation, in the log of each project that feels it. */
export const noteFelt = (sql: Sql, projectIds: string[], { action, target, detail }: Noted): Promise<void> =>
  noteEach(sql, projectIds, { type: 'cli' }, action, target, detail)

/** A change with what is noted of it, of which there may be nothing: both in one transaction. */
export const changeNoted = <T>(
  db: Db,
  projectId: string,
  work: (tx: Tx) => Promise<T>,
  tell: (done: T) => Noted | null,
): Promise<T> =>
  transact(db, projectId, async tx => {
    const done = await work(tx)
    const noted = tell(done)
    if (noted) await noteCommand(tx, projectId, noted)
    return done
  })
