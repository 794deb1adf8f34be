import { createBatch } from '../core/batch.ts'
import type { Db } from '../core/db.ts'
import { ApiError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
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

/** A page that is loaded again is not gone. */
const closeDelayMs = 1_000

/** A tab begins to listen. It shows no ticket yet. */
export async function openTab(db: Db, row: OperatorTabRow): Promise<void> {
  await insertOperatorTab(db, row)
  await comeBack(db, row.project_id, row.operator_id)
  notifyPresence(row.project_id)
}

const nameOf = ({ projectId, operatorId, tab }: TabState): string => `${projectId} ${operatorId} ${tab}`

/** Takes what a tab shows; those of one moment are one statement, and of one tab the last counts. */
export function createTabUpdates(db: Db): (sight: TabState) => Promise<void> {
  const write = createBatch(async (sights: TabState[]) => {
    const last = [...new Map(sights.map(sight => [nameOf(sight), sight])).values()]
    const rows = await updateOperatorTabs(db, last)
    const seen = new Map(rows.map(row => [nameOf(last[row.n - 1]!), row]))
    return sight => seen.get(nameOf(sight))
  })
  return async sight => {
    const seen = await write(sight)
    if (!seen) throw new ApiError('TAB_NOT_OPEN')
    if (seen.is_away) await comeBack(db, sight.projectId, sight.operatorId)
    if (seen.is_changed) notifyPresence(sight.projectId)
  }
}

/** Takes tabs away whose streams ended, some time later and together; those that came back by then stay. */
export function createTabCloser<Tab>(
  take: (tabs: Tab[]) => Promise<{ project_id: string }[]>,
  log: Log,
): (tab: Tab) => void {
  let ended: Tab[] = []
  const close = async () => {
    const tabs = ended
    ended = []
    const gone = await take(tabs)
    for (const id of new Set(gone.map(({ project_id }) => project_id))) notifyPresence(id)
  }
  const report = (error: unknown) =>
    log.warn({ err: error }, 'Could not take a tab away; it goes when it is silent')
  return tab => {
    ended.push(tab)
    if (ended.length === 1) setTimeout(() => void close().catch(report), closeDelayMs).unref()
  }
}

/** Of any number of processes one finds that somebody has gone, and one says so. Answers how many went offline. */
export async function takeOffline(db: Db, projectId: string): Promise<number> {
  await deleteSilentOperatorTabs(db, projectId)
  const absent = await listAbsent(db, projectId)
  const [come, gone] = [absent.filter(({ is_new }) => is_new), absent.filter(({ is_new }) => !is_new)]
  if (come.length) await noteAbsence(db, come)
  for (const { project_id, id } of gone) await goOffline(db, project_id, id)
  return gone.length
}
