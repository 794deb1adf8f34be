import { anyId, type Db, type Sql } from '../core/db/db.ts'
import type { WaitingWork } from '../core/due/due-work.ts'
import type { Caller } from '../core/endpoint.ts'
import { parseTime, toDatabase } from '../core/time.ts'
import { notifyPresence } from '../events/notifier.ts'
import { type Tx, transact } from '../events/transaction.ts'
import type { OwnStatus, StatusChoice } from './schema.ts'

/**
 * The chosen status is stored beside the visible one. Without an open tab, the visible status is offline; with the next tab, it is
 * the chosen one again. Text and emoji stay.
 */

/** How long to wait for somebody without a tab, because the page may be reloading or the server restarting. */
export const absenceInterval = '30 seconds'

interface StatusRow extends OwnStatus {
  chosen_status: OwnStatus['status']
}

const columns = (sql: Sql) => sql`status, status_text, status_emoji, status_until`

async function lockStatus(tx: Tx, id: string): Promise<StatusRow> {
  const [row] = await tx<StatusRow[]>`
    select ${columns(tx)}, chosen_status from operators
    where project_id = ${tx.projectId} and id = ${id} for no key update`
  return row!
}

const isSame = (one: OwnStatus, other: OwnStatus): boolean =>
  one.status === other.status &&
  one.status_text === other.status_text &&
  one.status_emoji === other.status_emoji

function tellStatus(tx: Tx, id: string, shown: OwnStatus): void {
  const { status, status_text, status_emoji } = shown
  tx.emit({ type: 'operator.status.changed', data: { user_id: id, status, status_text, status_emoji } })
  tx.afterCommit(() => notifyPresence(tx.projectId))
}

/** Sets one's own status. Text and emoji that are not sent are removed. */
export function chooseStatus(db: Db, { project, actor }: Caller, choice: StatusChoice): Promise<OwnStatus> {
  return transact(db, project.id, async tx => {
    const before = await lockStatus(tx, actor.id)
    const shown = {
      status: choice.status,
      status_text: choice.text?.trim() || null,
      status_emoji: choice.emoji?.trim() || null,
      status_until: choice.until ? toDatabase(parseTime(choice.until)!) : null,
    }
    await tx`
      update operators set ${tx(shown)}, chosen_status = ${shown.status}, absent_since = null
      where project_id = ${project.id} and id = ${actor.id}`
    if (shown.status_until) tx.noteDue('statuses', shown.status_until)
    // For somebody without a tab, the job sets the visible status to offline.
    tx.noteDue('presence')
    if (!isSame(before, shown)) tellStatus(tx, actor.id, shown)
    return shown
  })
}

/** Ends the presence of a removed operator at once. */
export async function endPresence(tx: Tx, id: string): Promise<void> {
  const before = await lockStatus(tx, id)
  const gone = { status: 'offline' as const, status_text: null, status_emoji: null, status_until: null }
  await tx`update operators set ${tx(gone)}, absent_since = null where project_id = ${tx.projectId} and id = ${id}`
  if (!isSame(before, gone)) tellStatus(tx, id, gone)
}

/** Restores the chosen status of somebody who opened a tab. */
export async function comeBack(db: Db, projectId: string, id: string): Promise<void> {
  const away = await db`
    select from operators where project_id = ${projectId} and id = ${id}
      and removed_at is null and (absent_since is not null or status <> chosen_status)`
  if (away.length === 0) return
  await transact(db, projectId, async tx => {
    const before = await lockStatus(tx, id)
    const shown = { ...before, status: before.chosen_status }
    await tx`
      update operators set status = chosen_status, absent_since = null
      where project_id = ${projectId} and id = ${id}`
    if (!isSame(before, shown)) tellStatus(tx, id, shown)
  })
}

/** Records since when these people have had no tab. */
export const noteAbsence = (sql: Sql, projectId: string, ids: string[]) => sql`
  update operators set absent_since = now()
  where project_id = ${projectId} and id = ${anyId(sql, ids)} and absent_since is null and status <> 'offline'`

/** Sets somebody to offline, unless they have come back, which clears the time of absence. */
export const goOffline = (db: Db, projectId: string, id: string): Promise<void> =>
  transact(db, projectId, async tx => {
    const [shown] = await tx<OwnStatus[]>`
      update operators set status = 'offline'
      where project_id = ${projectId} and id = ${id} and status <> 'offline'
        and absent_since < now() - ${absenceInterval}::text::interval
      returning ${columns(tx)}`
    if (shown) tellStatus(tx, id, shown)
  })

export const waitingStatusEnds: WaitingWork = sql =>
  sql`select project_id, status_until as due_at from operators where status_until is not null`

/** Ends statuses with an end time that has passed. These people are online again, if they have a tab. */
export async function endStatuses(db: Db, projectId: string): Promise<number> {
  const due = await db<{ id: string }[]>`
    select id from operators where project_id = ${projectId} and status_until <= now()
    order by status_until limit 100`
  for (const { id } of due) await endStatus(db, projectId, id)
  return due.length
}

const endStatus = (db: Db, projectId: string, id: string): Promise<void> =>
  transact(db, projectId, async tx => {
    const [shown] = await tx<OwnStatus[]>`
      update operators set chosen_status = 'online', status_text = null, status_emoji = null, status_until = null,
        status = case status when 'offline' then 'offline' else 'online' end
      where project_id = ${projectId} and id = ${id} and status_until <= now()
      returning ${columns(tx)}`
    if (shown) tellStatus(tx, id, shown)
  })
