import { inTime } from '../../../core/async/in-time.ts'
import type { Db } from '../../../core/db/db.ts'
import { isOneOf } from '../../../core/objects.ts'
import { counter, metric } from '../../../core/telemetry/metrics.ts'
import { listOldestQueued } from '../../../outgoing/outgoing.ts'

/** Metrics of processes that send messages. */

const results = ['sent', 'failed', 'uncertain'] as const

const outgoing = counter(
  'deskbell_outgoing_messages_total',
  'Messages that this process has sent or that have failed, by result; uncertain: the answer of the server was lost twice',
  'result',
  results,
)

export function countOutgoing(result: string): void {
  if (isOneOf(result, results)) outgoing[result]++
}

const sending = new Set<Db>()

metric(
  'deskbell_outgoing_oldest_seconds',
  'Age of the oldest message that waits to be sent, by channel',
  async () => {
    const [db] = sending
    if (!db) return []
    const rows = await inTime(listOldestQueued(db), 2_000)
    return rows.map(({ channel, seconds }) => ({ labels: { channel }, value: seconds }))
  },
)

/** Adds the metric of waiting messages. The returned function removes it. */
export function measureSending(db: Db): () => void {
  sending.add(db)
  return () => void sending.delete(db)
}
