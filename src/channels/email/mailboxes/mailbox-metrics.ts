import { inTime } from '../../../core/async/in-time.ts'
import type { Db } from '../../../core/db/db.ts'
import { histogram, metric } from '../../../core/telemetry/metrics.ts'

/** Metrics of processes that fetch email. */

const fetching = new Set<Db>()

const noteLag = histogram(
  'deskbell_mail_fetch_lag_seconds',
  'Time from the arrival of an email at its server until it is stored here, for emails that this process has fetched',
  [1, 2, 5, 10, 30, 60, 300, 900, 3600],
)

/** Servers report arrival times in whole seconds. */
export function noteFetched(receivedAt: Date | null): void {
  if (receivedAt) noteLag(Math.max((Date.now() - receivedAt.getTime()) / 1_000, 0))
}

interface StateCount {
  state: string
  count: number
}

/** `waiting`: fetching failed and will be retried after a pause. */
const countStates = (db: Db) => db<StateCount[]>`
  select case when state = 'active' and failures > 0 then 'waiting' else state end as state, count(*)::int as count
  from mailboxes where project_id is not null and incoming <> 'none' group by 1`

const states = ['active', 'waiting', 'paused', 'broken']

metric(
  'deskbell_mailboxes',
  'Mailboxes by state; waiting: fetching failed and will be retried after a pause',
  async () => {
    const [db] = fetching
    if (!db) return []
    const rows = await inTime(countStates(db), 2_000)
    return states.map(state => ({
      labels: { state },
      value: rows.find(row => row.state === state)?.count ?? 0,
    }))
  },
)

metric(
  'deskbell_mail_oldest_stored_seconds',
  'Age of the oldest stored email that has not been handled yet',
  async () => {
    const [db] = fetching
    if (!db) return []
    const [row] = await inTime(
      db<{ seconds: number }[]>`
        select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds from incoming_mails
        where project_id is not null and state = 'stored'`,
      2_000,
    )
    return [{ value: row!.seconds }]
  },
)

/** Adds these metrics. The returned function removes them. */
export function measureFetching(db: Db): () => void {
  fetching.add(db)
  return () => void fetching.delete(db)
}
