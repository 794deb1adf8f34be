import { inTime, within } from '../core/async/in-time.ts'
import type { Config } from '../core/config/config.ts'
import { addressRuleOf } from '../core/http/address.ts'
import { isId } from '../core/ids.ts'
import { onLogChange } from '../events/notifier.ts'
import { createBacklog } from './backlog.ts'
import { startCleanup } from './cleanup.ts'
import { createDelivery, type DeliveryParts, leaseMarginMs } from './deliver.ts'
import { measureQueue } from './delivery-metrics.ts'
import type { DirectSender, Dispatcher } from './dispatch.ts'
import { type BackloggedTarget, startPolling } from './find-backlog.ts'
import { releaseClaims, statementTimeoutMs } from './queue.ts'
import { createResultWriter } from './result-writer.ts'
import { createSender, type Sender } from './send.ts'
import { TargetConcurrency } from './target-concurrency.ts'
import { createWaker } from './waker.ts'

type DeliveryConfig = Pick<
  Config,
  'webhookRetryDelays' | 'webhookTimeout' | 'webhookAllowedCidrs' | 'publicUrl'
>

export interface DeliveryDeps extends Pick<DeliveryParts, 'db' | 'log' | 'vault'> {
  config: DeliveryConfig
  sender?: Sender
  /** The fan-out of the pools that write events. Without it, all deliveries are claimed. */
  dispatcher?: Dispatcher
}

const pauseAfterErrorMs = 250

export const openSender = (config: DeliveryConfig): Sender =>
  createSender({ addressRule: addressRuleOf(config), timeout: config.webhookTimeout })

/** Decides when to claim: after a notification, a free slot or a finding of the regular check, as long as there are free slots. */
function createClaiming(
  { concurrency, results }: Pick<DeliveryParts, 'concurrency' | 'results'>,
  claimFrom: ReturnType<typeof createDelivery>['claim'],
) {
  const changed = new Set<string>()
  let isClaiming = false
  const notify = (projectId: string) => void changed.add(projectId)
  let backlogged: BackloggedTarget[] = []
  /**
   * After an error, outcomes are written before the next claim, which would otherwise assume that their deliveries were abandoned
   * and send them again.
   */
  let mustWriteResults = false

  async function claim(): Promise<boolean> {
    mustWriteResults = (mustWriteResults || results.isBehind()) && !results.isIdle()
    const { total } = concurrency.freeCapacity()
    if (mustWriteResults || !total || !(changed.size || backlogged.length)) return false
    const projects = [...changed]
    changed.clear()
    isClaiming = true
    try {
      const rows = await claimFrom(projects, backlogged)
      const again = rows.length < total ? rows.map(row => row.project_id) : projects
      again.forEach(notify)
      return rows.length > 0
    } catch (error) {
      // The next check finds what this claim would have taken. Repeating the same claim might fail for ever.
      mustWriteResults = true
      throw error
    } finally {
      isClaiming = false
    }
  }

  return {
    claim,
    notify,
    /** Whether there is nothing to claim, and no claim runs that counts on the free slots. */
    isIdle: () => !isClaiming && changed.size === 0,
    setBacklogged: (found: BackloggedTarget[]) => {
      backlogged = found
    },
  }
}

/** Sends what this process writes without a claim. */
const createDirectSender = (
  { config, db, log, concurrency }: Omit<DeliveryParts, 'sender'>,
  start: DirectSender['start'],
  isIdle: () => boolean,
  onCapacity: (projectId: string) => void,
): DirectSender => ({
  lease: config.webhookTimeout + leaseMarginMs,
  reserve: (projectId, count) => (isIdle() ? concurrency.reserve(projectId, count) : []),
  cancel(projectId, webhookId) {
    if (concurrency.cancel(webhookId)) onCapacity(projectId)
  },
  start,
  giveUp(claimId) {
    inTime(releaseClaims(db, [claimId])).catch((error: unknown) =>
      log.warn({ err: error }, 'Could not release webhook deliveries; their leases will end'),
    )
  },
})

/** Sends due deliveries until it is stopped. Any number of processes may do so on one database. */
export function startDelivering(deps: DeliveryDeps): { stop(): Promise<void> } {
  const { config, db, log } = deps
  const sender = deps.sender ?? openSender(config)
  const parts = {
    ...deps,
    sender,
    concurrency: new TargetConcurrency(),
    results: createResultWriter(db, log),
  }
  const { claim, start, inFlight } = createDelivery(parts, notify)
  log.info(addressRuleOf(config).describe())

  const report = (action: string) => (error: unknown) =>
    log.warn({ err: error }, `Could not ${action} webhook deliveries; will retry`)
  const claiming = createClaiming(parts, claim)
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
  const unlisten = onLogChange((projectId, from) => {
    if (from === 'sent') return
    if (isId(projectId)) notify(projectId)
    else polling.pollNow()
  })
  const detach = deps.dispatcher?.attach(createDirectSender(parts, start, claiming.isIdle, notify))
  const cleanup = startCleanup({ ...parts, backlog, delays: config.webhookRetryDelays })
  const unmeasure = measureQueue(db, () => inFlight.size)

  return {
    async stop() {
      detach?.()
      unlisten()
      unmeasure()
      await Promise.all([polling.stop(), waker.stop(), cleanup.stop()])
      await withinTime(config.webhookTimeout + 1_000, [...inFlight.keys()], parts.results.idle)
      parts.results.stop()
      const left = [...new Set(inFlight.values())]
      if (left.length) await inTime(releaseClaims(db, left), 2_000).catch(() => {})
      if (!deps.sender) await withinTime(1_000, [sender.close()])
    },
  }
}

/** Waits for the attempts in progress, then for `after`, up to a time limit. */
const withinTime = (ms: number, attempts: Promise<void>[], after = async () => {}): Promise<void> =>
  within(ms, Promise.allSettled(attempts).then(after), () => {})
