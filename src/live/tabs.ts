import { createProjectBatch } from '../core/db/batch.ts'
import type { Db } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import type { Log } from '../core/telemetry/log.ts'
import { notifyPresence } from '../events/notifier.ts'
import { comeBack, goOffline, noteAbsence } from '../operators/operators.ts'
import {
  deleteSilentOperatorTabs,
  insertOperatorTab,
  listAbsent,
  type OperatorTabRow,
  type TabState,
  updateOperatorTabs,
} from './queries.ts'

/** Milliseconds to wait, because the page may be reloading. */
const closeDelayMs = 1_000

/** Records a tab with a new stream. It shows no ticket yet. */
export async function openTab(db: Db, row: OperatorTabRow): Promise<void> {
  await insertOperatorTab(db, row)
  await comeBack(db, row.project_id, row.operator_id)
  notifyPresence(row.project_id)
}

const nameOf = ({ operatorId, tab }: TabState): string => `${operatorId} ${tab}`

/** Records what tabs show. Concurrent updates in a project are one statement; the last one of a tab counts. */
export function createTabUpdates(db: Db): (sight: TabState) => Promise<void> {
  const write = createProjectBatch(
    async (projectId, sights: TabState[]) => {
      const last = [...new Map(sights.map(sight => [nameOf(sight), sight])).values()]
      const rows = await updateOperatorTabs(db, projectId, last)
      const seen = new Map(rows.map(row => [nameOf(last[row.n - 1]!), row]))
      return sight => seen.get(nameOf(sight))
    },
    ({ projectId }) => projectId,
  )
  return async sight => {
    const seen = await write(sight)
    if (!seen) throw new ApiError('TAB_NOT_OPEN')
    if (seen.is_away) await comeBack(db, sight.projectId, sight.operatorId)
    if (seen.is_changed) notifyPresence(sight.projectId)
  }
}

/** Deletes tabs whose streams have ended, some time later and together. Tabs that have reconnected by then stay. */
export function createTabCloser<Tab extends { project_id: string }>(
  take: (projectId: string, tabs: Tab[]) => Promise<{ count: number }>,
  log: Log,
): (tab: Tab) => void {
  let ended: Tab[] = []
  const close = async () => {
    const tabs = ended
    ended = []
    for (const [projectId, own] of Map.groupBy(tabs, tab => tab.project_id)) {
      const { count } = await take(projectId, own)
      if (count > 0) notifyPresence(projectId)
    }
  }
  const report = (error: unknown) =>
    log.warn({ err: error }, 'Could not delete a tab; it disappears after its timeout')
  return tab => {
    ended.push(tab)
    if (ended.length === 1) setTimeout(() => void close().catch(report), closeDelayMs).unref()
  }
}

/** Sets absent operators to offline. Of several processes, only one does so for an operator. Returns how many went offline. */
export async function takeOffline(db: Db, projectId: string): Promise<number> {
  await deleteSilentOperatorTabs(db, projectId)
  const absent = await listAbsent(db, projectId)
  const [come, gone] = [absent.filter(({ is_new }) => is_new), absent.filter(({ is_new }) => !is_new)]
  if (come.length)
    await noteAbsence(
      db,
      projectId,
      come.map(({ id }) => id),
    )
  for (const { id } of gone) await goOffline(db, projectId, id)
  return gone.length
}
