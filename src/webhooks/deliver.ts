import { inTime } from '../core/async/in-time.ts'
import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { interrupted, judgeAttempt, maxLapses, prepareAttempt, printCancelled } from './attempt.ts'
import { countAttempt } from './delivery-metrics.ts'
import type { BackloggedTarget } from './find-backlog.ts'
import { type ClaimedDelivery, claimDue, releaseClaims, statementTimeoutMs } from './queue.ts'
import type { DeliveryResult } from './record.ts'
import type { ResultWriter } from './result-writer.ts'
import type { Sender } from './send.ts'
import type { TargetConcurrency } from './target-concurrency.ts'

export interface DeliveryParts {
  config: Pick<Config, 'webhookRetryDelays' | 'webhookTimeout'>
  db: Db
  log: Log
  vault: Vault
  sender: Sender
  concurrency: TargetConcurrency
  results: ResultWriter
}

/** Milliseconds by which a lease is longer than an attempt. After that, another process may repeat the attempt. */
export const leaseMarginMs = 5_000

/**
 * The steps of a delivery: claim, attempt, record. `onCapacity` reports a free slot for which other deliveries of the project may
 * have waited.
 */
export function createDelivery(parts: DeliveryParts, onCapacity: (projectId: string) => void) {
  const { config, db, log, concurrency, results } = parts
  const inFlight = new Map<Promise<void>, string>()

  async function claim(projects: string[], backlogged: BackloggedTarget[]): Promise<ClaimedDelivery[]> {
    const lease = config.webhookTimeout + leaseMarginMs
    const capacity = concurrency.freeCapacity()
    // 1. The claim commits before anything is sent, so that no other process sends the same delivery before the lease ends.
    const rows = await claimInTime(db, { id: newId(), capacity, lease, projects, backlogged })
    // 2. All slots are taken before the next claim counts the free ones.
    for (const row of rows) concurrency.acquire(row.project_id, row.webhook_id)
    for (const row of rows) start(row)
    return rows
  }

  /** Also called for deliveries that were inserted with a lease and a slot, instead of steps 1 and 2. */
  function start(row: ClaimedDelivery): void {
    const delivering = deliver(row).finally(() => inFlight.delete(delivering))
    inFlight.set(delivering, row.claim_id)
  }

  async function deliver(row: ClaimedDelivery): Promise<void> {
    const startedAt = performance.now()
    // 3. Sends the request.
    const result = await attempt(parts, row).catch((error: unknown) => reportUnexpected(log, row, error))
    // 4. Hands over the outcome before the slot is free. It is written within the lease, or the attempt is repeated.
    if (result) {
      countAttempt(result.status)
      results.add(result)
    }
    // 5. Frees the slot.
    const isSuccess = result?.status === 'succeeded'
    if (concurrency.release(row.webhook_id, { isSuccess, startedAt })) onCapacity(row.project_id)
  }

  return { claim, start, inFlight }
}

/** Makes one attempt. A failure is an outcome, never an exception. */
async function attempt(
  { vault, sender, config }: DeliveryParts,
  row: ClaimedDelivery,
): Promise<DeliveryResult> {
  const prepared = prepareAttempt(vault, row)
  if (!prepared) return printCancelled(row)
  const outcome = row.lapses < maxLapses ? await sender.send(prepared.request) : interrupted
  return judgeAttempt(row, prepared, outcome, config.webhookRetryDelays)
}

function reportUnexpected(log: Log, { id }: ClaimedDelivery, error: unknown): null {
  log.error(
    { err: error, delivery: id },
    'A webhook attempt failed unexpectedly; it will be repeated when its lease ends',
  )
  return null
}

/** Runs a claim with a timeout. If it succeeds after the timeout, its deliveries are released. */
async function claimInTime(db: Db, request: Parameters<typeof claimDue>[1]): Promise<ClaimedDelivery[]> {
  const statement = claimDue(db, request)
  try {
    return await inTime(statement, statementTimeoutMs)
  } catch (error) {
    const release = async (rows: ClaimedDelivery[]) => {
      if (rows.length) await releaseClaims(db, [request.id])
    }
    statement.then(release).catch(() => {})
    throw error
  }
}
