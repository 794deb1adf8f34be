import { newId } from '../core/ids.ts'
import { fromDatabase } from '../core/time.ts'
import type { FanOut, LoggedEvent, PlannedFanOut } from '../events/log.ts'
import { type InsertedDeliveries, insertWithLeases, type LeasedRow, type Leasing } from './insert-leased.ts'
import { type ClaimedDelivery, insertDeliveries } from './queue.ts'
import type { TakenSlots } from './target-concurrency.ts'

/** The part of a delivering process that sends new deliveries without a claim. */
export interface DirectSender {
  /** Milliseconds. */
  lease: number
  /** Takes slots for this many deliveries to each of the project's targets, if there are free ones. */
  reserve(projectId: string, count: number): TakenSlots[]
  /** Frees a slot that was not used. */
  cancel(projectId: string, webhookId: string): unknown
  /** Sends a delivery whose slot is taken. */
  start(row: ClaimedDelivery): void
  /** Ends leases without an attempt. */
  giveUp(claimId: string): void
}

export interface Dispatcher {
  fanOut: FanOut
  /** Leases new deliveries to this process, until the returned function is called. */
  attach(sender: DirectSender): () => void
}

/**
 * Milliseconds after the start of the statement that inserts a delivery. Later, it is left to a claim, because its subscription may have been
 * disabled while the statement waited for a lock or the disk. Nothing may be sent more than a second after that.
 */
const maxAgeMs = 500

/**
 * How many statements may insert deliveries with a lease at the same time. With more, a claim that takes many deliveries at once costs less
 * than inserting each one with its lease.
 */
const maxWriting = 8

/**
 * The fan-out of a program's pools. In a process that delivers, new deliveries are inserted with a lease, as if they were already claimed, and
 * sent right after the commit. Their slots are taken before the statement, so that no target gets more requests than allowed.
 */
export function createDispatcher(): Dispatcher {
  let sender: DirectSender | null = null
  let writing = 0

  return {
    fanOut(projectId, events) {
      const own = sender
      const slots = own && writing < maxWriting ? own.reserve(projectId, events.length) : []
      if (!own || !slots.length) return planWithout(projectId)
      writing++
      const onEnd = () => {
        writing--
        return own === sender
      }
      return planDirect(own, { claimId: newId(), lease: own.lease, slots }, projectId, events, onEnd)
    },
    attach(next) {
      // A second one in the same process, as in a test, only claims.
      if (sender) return () => {}
      sender = next
      return () => {
        sender = null
      }
    },
  }
}

/** All deliveries are left to claims. */
const planWithout = (projectId: string): PlannedFanOut => ({
  print: sql => insertDeliveries(sql, projectId),
  keep: () => {},
  end: () => false,
})

function planDirect(
  sender: DirectSender,
  leasing: Leasing,
  projectId: string,
  events: readonly LoggedEvent[],
  onEnd: () => boolean,
): PlannedFanOut {
  const startedAt = performance.now()
  let inserted: InsertedDeliveries | null = null

  function send(rows: LeasedRow[]): void {
    for (const row of rows) {
      const event = events.find(({ id }) => id === row.event_id)!
      sender.start(toClaimed(projectId, leasing.claimId, row, event))
    }
  }

  function cancelUnused(used: LeasedRow[]): void {
    for (const { id, count } of leasing.slots) {
      const left = count - used.filter(row => row.webhook_id === id).length
      for (let n = 0; n < left; n++) sender.cancel(projectId, id)
    }
  }

  return {
    print: sql => insertWithLeases(sql, projectId, leasing),
    keep: value => {
      inserted = value as InsertedDeliveries | null
    },
    end(isCommitted) {
      const rows = (isCommitted && inserted?.leased) || []
      const isAttached = onEnd()
      const isInTime = isAttached && performance.now() - startedAt < maxAgeMs
      if (isInTime) send(rows)
      else if (rows.length) sender.giveUp(leasing.claimId)
      cancelUnused(isInTime ? rows : [])
      return isInTime && inserted?.waiting === 0
    },
  }
}

const readSecret = (hex: string): Buffer => Buffer.from(hex, 'hex')

const toClaimed = (
  project_id: string,
  claim_id: string,
  { secret, previous_secret, event_at, ...row }: LeasedRow,
  { data }: LoggedEvent,
): ClaimedDelivery => ({
  ...row,
  project_id,
  claim_id,
  secret: readSecret(secret),
  previous_secret: previous_secret === null ? null : readSecret(previous_secret),
  attempts: 0,
  lapses: 0,
  is_test: false,
  request_body: null,
  event_data: JSON.stringify(data),
  event_at: fromDatabase(event_at),
})
