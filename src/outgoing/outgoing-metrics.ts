import { inTime } from '../core/async/in-time.ts'
import type { Db } from '../core/db/db.ts'
import { isOneOf, keysOf } from '../core/objects.ts'
import { metric } from '../core/telemetry/metrics.ts'
import { listOldestQueued } from './queue.ts'
import { outgoingSignals, type QueuedName } from './signals.ts'

/** Metrics of processes that send messages. */

const results = ['sent', 'failed', 'uncertain'] as const

const counts = new Map<string, number>()

const channels: QueuedName[] = [...keysOf(outgoingSignals), 'custom']

metric(
  'deskbell_outgoing_messages_total',
  "Messages that this process sent or that failed, by channel and result; uncertain: the server's answer was lost twice",
  () =>
    channels.flatMap(channel =>
      results.map(result => ({
        labels: { channel, result },
        value: counts.get(`${channel} ${result}`) ?? 0,
      })),
    ),
  'counter',
)

/** Counts a message if its new delivery status is a result. */
export function countOutgoing(channel: QueuedName, status: string, error: string | null): void {
  const result = error === 'outcome_unknown' ? 'uncertain' : status
  if (!isOneOf(result, results)) return
  const key = `${channel} ${result}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const sending = new Set<Db>()

metric(
  'deskbell_outgoing_oldest_seconds',
  'Age of the oldest message waiting to be sent, by channel',
  async () => {
    const [db] = sending
    if (!db) return []
    const rows = await inTime(listOldestQueued(db), 2_000)
    return rows.map(({ channel, seconds }) => ({ labels: { channel }, value: seconds }))
  },
)

/** Adds the metric for waiting messages. The returned function removes it. */
export function measureSending(db: Db): () => void {
  sending.add(db)
  return () => void sending.delete(db)
}
