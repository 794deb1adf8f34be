import { isDeadlock, type Sql } from '../core/db/db.ts'
import { type DueKind, noteDue } from '../core/due/due-work.ts'
import type { NewEvent } from './catalogue.ts'
import {
  type FanOut,
  type LoggedEvent,
  type PlannedFanOut,
  type Store,
  type WritingEvents,
  withEventId,
  writeLog,
} from './log.ts'
import { notifyLogChange } from './notifier.ts'
import { type StampedTable, TouchedRecords } from './stamps.ts'
import { RecordedChanges, type TicketChanges, toHistoryRows } from './ticket-history.ts'

/** An open transaction of one project. Only a transaction can emit events; the pool cannot be passed in its place. */
export type Tx = Sql & {
  readonly projectId: string
  readonly hooks: Store['hooks']
  /** Emits events. They are written last, just before the commit. */
  emit(...events: NewEvent[]): void
  /** Records what changed in a ticket. Written together with the events. */
  record(change: TicketChanges): void
  /** The bulk action that the recorded changes are part of. */
  runId: string | null
  /** Marks records, whose rows must be locked, as changed. The time at the end of the change becomes their `updated_at`. */
  touch(kind: StampedTable, ...ids: string[]): void
  /** Records that background work of the project, or of the subject, is due at a time, or now. Written after the events. */
  noteDue(kind: DueKind, at?: string | null, subjectId?: string): void
  /** Runs after the commit. */
  afterCommit(act: () => void): void
  /** Whether this transaction stores the response of the next change that joins it. Then the log is written before the response is read. */
  storesResponse: boolean
  /** Writes the events now. After this, the change may lock only rows that it has already locked. */
  writeLog(): Promise<void>
}

/** For rules that open a transaction, or join the one that is open. */
export type DbOrTx = Store | Tx

const isOpen = (store: DbOrTx): store is Tx => 'emit' in store

interface Pending {
  events: LoggedEvent[]
  history: RecordedChanges
  touched: TouchedRecords
  /** The earliest time of each kind and subject, which are joined by a space; null means now. */
  due: Map<string, string | null>
  /** What has been written together with events. */
  plans: PlannedFanOut[]
  afterCommit: (() => void)[]
}

interface Work<T, A> {
  change(tx: Tx): Promise<T>
  /** Reads the response after the log is written. */
  read(tx: Tx, changed: T): Promise<A>
}

const makeTx = (sql: Sql, { hooks }: Store, projectId: string, pending: Pending): Tx =>
  Object.assign(sql, {
    projectId,
    hooks: { ...hooks, fanOut: hooks?.fanOut && keepPlans(hooks.fanOut, pending.plans) },
    storesResponse: false,
    runId: null,
    emit: (...more: NewEvent[]) => void pending.events.push(...more.map(withEventId)),
    record: (change: TicketChanges) => pending.history.add(change),
    touch(kind: StampedTable, ...ids: string[]) {
      pending.touched.add(kind, ids)
    },
    noteDue(kind: DueKind, at: string | null = null, subjectId = projectId) {
      const work = `${kind} ${subjectId}`
      const before = pending.due.get(work)
      if (before !== null && (!before || !at || at < before)) pending.due.set(work, at)
    },
    afterCommit: (act: () => void) => void pending.afterCommit.push(act),
    async writeLog(this: Tx) {
      await flush(this, pending)
      Object.assign(pending, emptyPending())
    },
  })

const emptyPending = (): Pick<Pending, 'events' | 'history' | 'touched' | 'due'> => ({
  events: [],
  history: new RecordedChanges(),
  touched: new TouchedRecords(),
  due: new Map(),
})

/** The order of locks prevents deadlocks. If one happens anyway, the change is retried. */
const maxTries = 4

async function commit<T, A>(
  pool: Store,
  projectId: string,
  { change, read }: Work<T, A>,
  tries = 1,
): Promise<A> {
  const pending: Pending = { ...emptyPending(), plans: [], afterCommit: [] }
  let result: unknown
  try {
    result = await pool.begin(async sql => {
      const tx = makeTx(sql, pool, projectId, pending)
      const changed = await change(tx)
      await flush(tx, pending)
      return { of: await read(tx, changed) }
    })
  } catch (error) {
    endPlans(projectId, pending.plans, false)
    if (tries < maxTries && isDeadlock(error)) return commit(pool, projectId, { change, read }, tries + 1)
    throw error
  }
  for (const act of pending.afterCommit) act()
  endPlans(projectId, pending.plans, true)
  return (result as { of: A }).of
}

/** A fan-out that remembers its plans, which end with the transaction. */
const keepPlans =
  (fanOut: FanOut, plans: PlannedFanOut[]): FanOut =>
  (...written) => {
    const planned = fanOut(...written)
    plans.push(planned)
    return planned
  }

/** Ends what was written together with events, and notifies the readers of the log if it was committed. */
function endPlans(projectId: string, plans: PlannedFanOut[], isCommitted: boolean): void {
  const areSent = plans.map(planned => planned.end(isCommitted))
  if (isCommitted && plans.length) notifyLogChange(projectId, areSent.every(Boolean) ? 'sent' : 'local')
}

/** Runs a change of one project in a transaction: it is committed together with its events, or not at all. */
export const transact = <T>(store: DbOrTx, projectId: string, change: (tx: Tx) => Promise<T>): Promise<T> =>
  transactAndRead(store, projectId, change, async (_tx, changed) => changed)

/** The same, but returns what `read` finds after the change. */
export const transactAndRead = async <T, A>(
  store: DbOrTx,
  projectId: string,
  change: (tx: Tx) => Promise<T>,
  read: (tx: Tx, changed: T) => Promise<A>,
): Promise<A> => (isOpen(store) ? join(store, change, read) : commit(store, projectId, { change, read }))

/** Joins an open transaction. Only the outermost change determines the response. */
async function join<T, A>(
  tx: Tx,
  change: (tx: Tx) => Promise<T>,
  read: (tx: Tx, changed: T) => Promise<A>,
): Promise<A> {
  const { storesResponse } = tx
  tx.storesResponse = false
  const changed = await change(tx)
  if (storesResponse) await tx.writeLog()
  return read(tx, changed)
}

/** Sent together, and always in this order: the project's counter is locked before `due_work`. */
const flush = (tx: Tx, { events, history, touched, due }: Pending) =>
  Promise.all([
    ...writeLog(tx, tx.projectId, events, touched, toHistoryRows(history.list(), events, tx.runId)),
    ...[...due].sort().map(([work, at]) => {
      const [kind, subjectId] = work.split(' ') as [DueKind, string]
      return tx`${noteDue(tx, tx.projectId, kind, at, subjectId)}`
    }),
  ])

/**
 * Runs a statement that writes its events itself. Readers are notified now, or when its transaction has committed. Returns its row;
 * null means that nothing happened.
 */
export async function runWriting<R extends { fanned_out: unknown }>(
  store: DbOrTx,
  projectId: string,
  { planned }: WritingEvents,
  statement: PromiseLike<R[]>,
): Promise<R | null> {
  let row: R | undefined
  try {
    row = (await statement)[0]
    planned.keep(row?.fanned_out)
  } finally {
    if (!isOpen(store)) endPlans(projectId, [planned], row !== undefined)
  }
  return row ?? null
}

/** Notifies readers of the log of something that was written without an event: now, or when its transaction has committed. */
export function notifyAfterCommit(store: DbOrTx, projectId: string): void {
  if (isOpen(store)) store.afterCommit(() => notifyLogChange(projectId))
  else notifyLogChange(projectId)
}
