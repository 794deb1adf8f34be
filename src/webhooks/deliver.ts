import { addressRuleOf } from '../core/address.ts'
import { readClock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db.ts'
import { isId, newId } from '../core/ids.ts'
import { inTime, within } from '../core/in-time.ts'
import type { Log } from '../core/log.ts'
import { onBell } from '../events/bell.ts'
import { attemptDelivery } from './attempt.ts'
import { followBacklog } from './backlog.ts'
import { type Claim, type Claimed, claimDue, longestStatement, releaseClaims } from './claim.ts'
import { type Clock, watchClock } from './clock.ts'
import { countAttempts, measureQueue } from './delivery-metrics.ts'
import { createFinisher, type Finisher } from './finish.ts'
import { type Behind, startLooking } from './look.ts'
import { createSender, type Sender } from './send.ts'
import { Slots } from './slots.ts'
import { startSweeping } from './sweeping.ts'
import { createWaker } from './waker.ts'

export interface Delivering {
  config: Pick<Config, 'webhookRetryDelays' | 'webhookTimeout' | 'webhookAllowedCidrs' | 'publicUrl'>
  db: Db
  log: Log
  vault: Vault
  sender?: Sender
}

const pauseAfterError = 250

/** Milliseconds by which a lease is longer than an attempt. After that, another process may repeat the attempt. */
const leaseMargin = 5_000

export const openSender = (config: Delivering['config']): Sender =>
  createSender({ addressRule: addressRuleOf(config), timeout: config.webhookTimeout })

type Gear = Delivering & { sender: Sender; slots: Slots; finisher: Finisher; clock: Clock }

/** Runs attempts concurrently. `onRoom` reports a free slot for which other deliveries of the project may have waited. */
function createCrew(
  { config, log, vault, sender, slots, finisher }: Gear,
  onRoom: (projectId: string) => void,
) {
  const underway = new Map<Promise<void>, string>()

  async function attempt(row: Claimed): Promise<void> {
    const startedAt = performance.now()
    let isSuccess = false
    try {
      const settled = await attemptDelivery(row, { sender, vault, delays: config.webhookRetryDelays })
      isSuccess = settled.status === 'succeeded'
      countAttempts(settled.status)
      finisher.add(settled)
    } catch (error) {
      log.error(
        { err: error, delivery: row.id },
        'A webhook attempt broke; it is repeated when its lease ends',
      )
    }
    if (slots.free(row.webhook_id, { isSuccess, startedAt })) onRoom(row.project_id)
  }

  function start(row: Claimed): void {
    slots.take(row.project_id, row.webhook_id)
    const attempting = attempt(row).finally(() => underway.delete(attempting))
    underway.set(attempting, row.claim_id)
  }

  return { start, underway }
}

/** Claims after a notification, a free slot or a finding of the regular check, as long as there are free slots. */
function createClaiming({ config, db, slots, finisher, clock }: Gear, start: (row: Claimed) => void) {
  const lease = config.webhookTimeout + leaseMargin
  const rung = new Set<string>()
  const ring = (projectId: string) => void rung.add(projectId)
  let behind: Behind[] = []
  /** After an error, outcomes are written before the next claim, which would otherwise take their deliveries as abandoned and send them again. */
  let isTroubled = false

  async function claim(): Promise<boolean> {
    isTroubled = (isTroubled || finisher.isBehind()) && !finisher.isIdle()
    const room = slots.room()
    if (isTroubled || !room.total || !(rung.size || behind.length)) return false
    const projects = [...rung]
    rung.clear()
    try {
      const latest = clock.latest()
      const rows = await claimInTime(db, { id: newId(), room, lease, projects, behind, latest })
      rows.forEach(start)
      const again = rows.length < room.total ? rows.map(row => row.project_id) : projects
      again.forEach(ring)
      return rows.length > 0
    } catch (error) {
      // The next check finds what this claim would have taken. Repeating the same claim might fail for ever.
      isTroubled = true
      throw error
    }
  }

  return {
    claim,
    ring,
    see: (found: Behind[]) => {
      behind = found
    },
  }
}

/** Sends due deliveries until it is stopped. Any number of processes may do so on one database. */
export function startDelivering(deps: Delivering): { stop(): Promise<void> } {
  const { config, db, log } = deps
  const gear: Gear = {
    ...deps,
    sender: deps.sender ?? openSender(config),
    slots: new Slots(),
    finisher: createFinisher(db, log),
    clock: watchClock(() => readClock(db)),
  }
  const crew = createCrew(gear, ring)
  log.info(addressRuleOf(config).describe())

  const report = (deed: string) => (error: unknown) =>
    log.warn({ err: error }, `Could not ${deed} webhook deliveries; trying again`)
  const claiming = createClaiming(gear, crew.start)
  const waker = createWaker(claiming.claim, report('claim'))
  function ring(projectId: string): void {
    claiming.ring(projectId)
    waker.wake()
  }

  const backlog = followBacklog(db)
  const looking = startLooking(async () => {
    const found = await inTime(backlog.look(), longestStatement).catch(report('look for'))
    if (found) claiming.see(found.behind)
    waker.wake()
    return found?.wait ?? pauseAfterError
  })
  const unlisten = onBell(projectId => (isId(projectId) ? ring(projectId) : looking.hurry()))
  const sweeping = startSweeping({ ...gear, backlog, delays: config.webhookRetryDelays })
  const unmeasure = measureQueue(db, () => crew.underway.size)

  return {
    async stop() {
      unlisten()
      unmeasure()
      await Promise.all([looking.stop(), waker.stop(), sweeping.stop()])
      await withinTime(config.webhookTimeout + 1_000, [...crew.underway.keys()], gear.finisher.idle)
      gear.finisher.stop()
      const left = [...new Set(crew.underway.values())]
      if (left.length) await inTime(releaseClaims(db, left), 2_000).catch(() => {})
      if (!deps.sender) await withinTime(1_000, [gear.sender.close()])
    },
  }
}

/** Runs a claim with a timeout. If it succeeds after the timeout, its deliveries are released. */
async function claimInTime(db: Db, given: Claim): Promise<Claimed[]> {
  const statement = claimDue(db, given)
  try {
    return await inTime(statement, longestStatement)
  } catch (error) {
    const giveBack = async (rows: Claimed[]) => {
      if (rows.length) await releaseClaims(db, [given.id])
    }
    statement.then(giveBack).catch(() => {})
    throw error
  }
}

/** Waits for the attempts in progress, then for `after`, up to a time limit. */
const withinTime = (ms: number, attempts: Promise<void>[], after = async () => {}): Promise<void> =>
  within(ms, Promise.allSettled(attempts).then(after), () => {})
