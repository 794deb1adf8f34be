import { metric, sumUp } from '../core/telemetry/metrics.ts'
import type { ConnectionQuota } from './connection-quota.ts'

const quotas = new Map<ConnectionQuota, string>()

metric('deskbell_waiters', 'Calls that wait for events (updates), and open tabs (live)', () =>
  sumUp(quotas, 'kind', quota => quota.used),
)

/** Reports the open connections of a quota as a metric, until the returned function is called. */
export function measureConnections(kind: 'updates' | 'live', quota: ConnectionQuota): () => void {
  quotas.set(quota, kind)
  return () => void quotas.delete(quota)
}
