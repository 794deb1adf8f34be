import { createBatch } from '../core/batch.ts'
import type { Db } from '../core/db.ts'
import { ApiError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { ringPresence } from '../events/bell.ts'
import { comeBack, goOffline, noteAbsence } from '../operators/operators.ts'
import { deleteSilentTabs, insertTab, listAbsent, type Sight, type TabRow, updateTabs } from './queries.ts'

/** Milliseconds to wait, because the page may be reloading. */
const pause = 1_000

/** Records a tab with a new stream. It shows no ticket yet. */
export async function openTab(db: Db, row: TabRow): Promise<void> {
  await insertTab(db, row)
  await comeBack(db, row.project_id, row.operator_id)
  ringPresence(row.project_id)
}

const nameOf = ({ projectId, operatorId, tab }: Sight): string => `${projectId} ${operatorId} ${tab}`

/** Records what tabs show. Concurrent updates are one statement; the last one of a tab counts. */
export function createSights(db: Db): (sight: Sight) => Promise<void> {
  const write = createBatch(async (sights: Sight[]) => {
    const last = [...new Map(sights.map(sight => [nameOf(sight), sight])).values()]
    const rows = await updateTabs(db, last)
    const seen = new Map(rows.map(row => [nameOf(last[row.n - 1]!), row]))
    return sight => seen.get(nameOf(sight))
  })
  return async sight => {
    const seen = await write(sight)
    if (!seen) throw new ApiError('TAB_NOT_OPEN')
    if (seen.is_away) await comeBack(db, sight.projectId, sight.operatorId)
    if (seen.is_changed) ringPresence(sight.projectId)
  }
}

/** Deletes tabs whose streams have ended, some time later and together. Tabs that have reconnected by then stay. */
export function createClosing<Tab>(
  take: (tabs: Tab[]) => Promise<{ project_id: string }[]>,
  log: Log,
): (tab: Tab) => void {
  let ended: Tab[] = []
  const close = async () => {
    const tabs = ended
    ended = []
    const gone = await take(tabs)
    for (const id of new Set(gone.map(({ project_id }) => project_id))) ringPresence(id)
  }
  const report = (error: unknown) =>
    log.warn({ err: error }, 'Could not take a tab away; it goes when it is silent')
  return tab => {
    ended.push(tab)
    if (ended.length === 1) setTimeout(() => void close().catch(report), pause).unref()
  }
}

/** Sets absent operators to offline. Of several processes, only one does so for an operator. Returns how many went offline. */
export async function takeOffline(db: Db, projectId: string): Promise<number> {
  await deleteSilentTabs(db, projectId)
  const absent = await listAbsent(db, projectId)
  const [come, gone] = [absent.filter(({ is_new }) => is_new), absent.filter(({ is_new }) => !is_new)]
  if (come.length) await noteAbsence(db, come)
  for (const { project_id, id } of gone) await goOffline(db, project_id, id)
  return gone.length
}
