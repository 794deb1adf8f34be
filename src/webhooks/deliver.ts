import { inTime, within } from '../core/async/in-time.ts'
import { readClock } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import { addressRuleOf } from '../core/http/address.ts'
import { isId, newId } from '../core/ids.ts'
import type { Log } from '../core/telemetry/log.ts'
import { onLogChange } from '../events/notifier.ts'
import { attemptDelivery } from './attempt.ts'
import { createBacklog } from './backlog.ts'
import {
  type ClaimedDelivery,
  type ClaimRequest,
  claimDue,
  releaseClaims,
  statementTimeoutMs,
} from './claim.ts'
import { startCleanup } from './cleanup.ts'
import { type DatabaseClock, watchClock } from './clock.ts'
import { countAttempt, measureQueue } from './delivery-metrics.ts'
import { type BackloggedTarget, startPolling } from './find-backlog.ts'
import { createResultWriter, type ResultWriter } from './result-writer.ts'
import { createSender, type Sender } from './send.ts'
import { TargetConcurrency } from './target-concurrency.ts'
import { createWaker } from './waker.ts'

export interface DeliveryDeps {
  config: Pick<Config, 'webhookRetryDelays' | 'webhookTimeout' | 'webhookAllowedCidrs' | 'publicUrl'>
  db: Db
  log: Log
  vault: Vault
  sender?: Sender
}

const pauseAfterErrorMs = 250

/** Milliseconds by which a lease is longer than an attempt. After that, another process may repeat the attempt. */
const leaseMarginMs = 5_000

export const openSender = (config: DeliveryDeps['config']): Sender =>
  createSender({ addressRule: addressRuleOf(config), timeout: config.webhookTimeout })

type DeliveryParts = DeliveryDeps & {
  sender: Sender
  concurrency: TargetConcurrency
  results: ResultWriter
  clock: DatabaseClock
}

/** Runs attempts concurrently. `onCapacity` reports a free slot for which other deliveries of the project may have waited. */
function createAttempts(
  { config, log, vault, sender, concurrency, results }: DeliveryParts,
  onCapacity: (projectId: string) => void,
) {
  const inFlight = new Map<Promise<void>, string>()

  async function attempt(row: ClaimedDelivery): Promise<void> {
    const startedAt = performance.now()
    let isSuccess = false
    try {
      const settled = await attemptDelivery(row, { sender, vault, delays: config.webhookRetryDelays })
      isSuccess = settled.status === 'succeeded'
      countAttempt(settled.status)
      results.add(settled)
    } catch (error) {
      log.error(
        { err: error, delivery: row.id },
        'A webhook attempt failed unexpectedly; it will be repeated when its lease ends',
      )
    }
    if (concurrency.release(row.webhook_id, { isSuccess, startedAt })) onCapacity(row.project_id)
  }

  function start(row: ClaimedDelivery): void {
    concurrency.acquire(row.project_id, row.webhook_id)
    const attempting = attempt(row).finally(() => inFlight.delete(attempting))
    inFlight.set(attempting, row.claim_id)
  }

  return { start, inFlight }
}

/** Claims after a notification, a free slot or a finding of the regular check, as long as there are free slots. */
function createClaiming(
  { config, db, concurrency, results, clock }: DeliveryParts,
  start: (row: ClaimedDelivery) => void,
) {
  const lease = config.webhookTimeout + leaseMarginMs
  const changed = new Set<string>()
  const notify = (projectId: string) => void changed.add(projectId)
  let backlogged: BackloggedTarget[] = []
  /**
   * After an error, outcomes are written before the next claim, which would otherwise assume that their deliveries were abandoned
   * and send them again.
   */
  let mustWriteResults = false

  async function claim(): Promise<boolean> {
    mustWriteResults = (mustWriteResults || results.isBehind()) && !results.isIdle()
    const capacity = concurrency.freeCapacity()
    if (mustWriteResults || !capacity.total || !(changed.size || backlogged.length)) return false
    const projects = [...changed]
    changed.clear()
    try {
      const latest = clock.latest()
      const rows = await claimInTime(db, { id: newId(), capacity, lease, projects, backlogged, latest })
      rows.forEach(start)
      const again = rows.length < capacity.total ? rows.map(row => row.project_id) : projects
      again.forEach(notify)
      return rows.length > 0
    } catch (error) {
      // The next check finds what this claim would have taken. Repeating the same claim might fail for ever.
      mustWriteResults = true
      throw error
    }
  }

  return {
    claim,
    notify,
    setBacklogged: (found: BackloggedTarget[]) => {
      backlogged = found
    },
  }
}

/** Sends due deliveries until it is stopped. Any number of processes may do so on one database. */
export function startDelivering(deps: DeliveryDeps): { stop(): Promise<void> } {
  const { config, db, log } = deps
  const parts: DeliveryParts = {
    ...deps,
    sender: deps.sender ?? openSender(config),
    concurrency: new TargetConcurrency(),
    results: createResultWriter(db, log),
    clock: watchClock(() => readClock(db)),
  }
  const attempts = createAttempts(parts, notify)
  log.info(addressRuleOf(config).describe())

  const report = (action: string) => (error: unknown) =>
    log.warn({ err: error }, `Could not ${action} webhook deliveries; will retry`)
  const claiming = createClaiming(parts, attempts.start)
  const waker = createWaker(claiming.claim, report('claim'))
  function notify(projectId: string): void {
    claiming.notify(projectId)
    waker.wake()
  }

  const backlog = createBacklog(db)
  const polling = startPolling(async () => {
    const found = await inTime(backlog.look(), statementTimeoutMs).catch(report('look for'))
    if (found) claiming.setBacklogged(found.backlogged)
    waker.wake()
    return found?.wait ?? pauseAfterErrorMs
  })
  const unlisten = onLogChange(projectId => (isId(projectId) ? notify(projectId) : polling.pollNow()))
  const cleanup = startCleanup({ ...parts, backlog, delays: config.webhookRetryDelays })
  const unmeasure = measureQueue(db, () => attempts.inFlight.size)

  return {
    async stop() {
      unlisten()
      unmeasure()
      await Promise.all([polling.stop(), waker.stop(), cleanup.stop()])
      await withinTime(config.webhookTimeout + 1_000, [...attempts.inFlight.keys()], parts.results.idle)
      parts.results.stop()
      const left = [...new Set(attempts.inFlight.values())]
      if (left.length) await inTime(releaseClaims(db, left), 2_000).catch(() => {})
      if (!deps.sender) await withinTime(1_000, [parts.sender.close()])
    },
  }
}

/** Runs a claim with a timeout. If it succeeds after the timeout, its deliveries are released. */
async function claimInTime(db: Db, given: ClaimRequest): Promise<ClaimedDelivery[]> {
  const statement = claimDue(db, given)
  try {
    return await inTime(statement, statementTimeoutMs)
  } catch (error) {
    const release = async (rows: ClaimedDelivery[]) => {
      if (rows.length) await releaseClaims(db, [given.id])
    }
    statement.then(release).catch(() => {})
    throw error
  }
}

/** Waits for the attempts in progress, then for `after`, up to a time limit. */
const withinTime = (ms: number, attempts: Promise<void>[], after = async () => {}): Promise<void> =>
  within(ms, Promise.allSettled(attempts).then(after), () => {})
