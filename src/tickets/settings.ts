import { recordAudit } from '../audit/audit.ts'
import type { Sql } from '../core/db/db.ts'
import type { Caller } from '../core/endpoint.ts'
import { pick } from '../core/fields.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import type { InboxSettings, InboxSettingsChange, UndoTimes } from './inbox-schema.ts'

/** The settings of a project's inbox. */

/** In messengers, a contact may be waiting for every second, so replies are not delayed there by default. */
const usualUndo: UndoTimes = { widget: 10, email: 10, api: 10, telegram: 0, other: 0 }

export async function findInboxSettings(sql: Sql, projectId: string): Promise<InboxSettings> {
  const [row] = await sql<InboxSettings[]>`
    select after_reply, assigns_on_reply, undo_seconds from projects where id = ${projectId}`
  return { ...row!, undo_seconds: { ...usualUndo, ...row!.undo_seconds } }
}

export function changeInboxSettings(
  store: DbOrTx,
  { project, actor }: Caller,
  change: InboxSettingsChange,
): Promise<InboxSettings> {
  const fields = pick(change, ['after_reply', 'assigns_on_reply', 'undo_seconds'])
  return transact(store, project.id, async tx => {
    if (Object.keys(fields).length) {
      await tx`update projects set ${tx(fields)} where id = ${project.id}`
      await recordAudit(tx, project.id, actor, 'inbox.changed', { type: 'inbox', name: project.name }, fields)
    }
    return findInboxSettings(tx, project.id)
  })
}
