import { inTime } from '../core/async/in-time.ts'
import type { Db } from '../core/db/db.ts'
import { counter, metric } from '../core/telemetry/metrics.ts'

import { findOldestDueTime } from './queries.ts'
import type { DeliveryResult } from './record.ts'

const attempts = counter(
  'deskbell_delivery_attempts_total',
  'Finished attempts of webhook deliveries; retried: failed, and another attempt follows; failed: the last attempt failed',
  'result',
  ['succeeded', 'retried', 'failed', 'cancelled'],
)

export const countAttempt = (status: DeliveryResult['status']) => attempts[status ?? 'retried']++

interface Measured {
  db: Db
  inFlight(): number
}

const delivering = new Set<Measured>()

metric('deskbell_deliveries_in_flight', 'Webhook deliveries that this process is sending', () =>
  [...delivering].map(({ inFlight }) => ({ value: inFlight() })),
)

/** Queries the database, which reads a few index entries for each target. */
metric(
  'deskbell_delivery_oldest_due_seconds',
  'How long the oldest due webhook delivery that no process is sending has been due',
  async () => {
    const rows = await Promise.all([...delivering].map(({ db }) => inTime(findOldestDueTime(db), 2_000)))
    return rows.map(([row]) => ({ value: row!.seconds }))
  },
)

/** Adds the queue to the metrics until the returned function is called. */
export function measureQueue(db: Db, inFlight: () => number): () => void {
  const measured = { db, inFlight }
  delivering.add(measured)
  return () => void delivering.delete(measured)
}
