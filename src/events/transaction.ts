import { type Db, isDeadlock, type Sql } from '../core/db.ts'
import { type DueKind, noteDue } from '../core/due-work.ts'
import type { NewEvent } from './catalogue.ts'
import { writeLog } from './log.ts'
import { notifyLogChange } from './notifier.ts'
import { type StampedTable, TouchedRecords } from './stamps.ts'

/** An open transaction of one project. Only here can something be emitted; the pool does not fit where it is wanted. */
export type Tx = Sql & {
  readonly projectId: string
  /** Says that something happened. The log is written last, just before the commit. */
  emit(...events: NewEvent[]): void
  /** Says that records, whose rows are locked, have changed: the change's time, taken at its end, becomes their `updated_at`. */
  touch(kind: StampedTable, ...ids: string[]): void
  /** Says that background work of the project is due at a time, or at once. Written after the log. */
  noteDue(kind: DueKind, at?: string): void
  /** Runs after the commit. */
  afterCommit(act: () => void): void
  /** Whether the answer of the next change that joins is kept in this transaction: then the log is written before it is read. */
  keepsAnswer: boolean
  /** Writes the log now. Afterwards the change may lock only rows that it has locked before. */
  writeLog(): Promise<void>
}

/** What a rule needs to open a transaction, or to join the one that is open. */
export type Store = Db | Tx

const isOpen = (store: Store): store is Tx => 'emit' in store

interface Pending {
  events: NewEvent[]
  touched: TouchedRecords
  due: Map<DueKind, string | null>
  acts: (() => void)[]
}

interface Work<T, A> {
  change(tx: Tx): Promise<T>
  /** What the change is answered with, read after the log is written. One statement: where the log fails, a second would be outside the transaction. */
  read(tx: Tx, changed: T): Promise<A>
}

const makeTx = (sql: Sql, projectId: string, pending: Pending): Tx =>
  Object.assign(sql, {
    projectId,
    keepsAnswer: false,
    emit: (...more: NewEvent[]) => void pending.events.push(...more),
    touch(kind: StampedTable, ...ids: string[]) {
      pending.touched.add(kind, ids)
    },
    noteDue(kind: DueKind, at: string | null = null) {
      const before = pending.due.get(kind)
      if (before !== null && (!before || !at || at < before)) pending.due.set(kind, at)
    },
    afterCommit: (act: () => void) => void pending.acts.push(act),
    async writeLog(this: Tx) {
      await flush(this, projectId, pending)
      if (pending.events.length) pending.acts.push(() => notifyLogChange(projectId))
      Object.assign(pending, nothing())
    },
  })

const nothing = (): Omit<Pending, 'acts'> => ({ events: [], touched: new TouchedRecords(), due: new Map() })

/** Lock orders are chosen so that no two changes wait in a ring; should two do so, one of them is made again. */
const maxTries = 4

async function commit<T, A>(
  pool: Db,
  projectId: string,
  { change, read }: Work<T, A>,
  tries = 1,
): Promise<A> {
  const pending: Pending = { ...nothing(), acts: [] }
  try {
    const result = await pool.begin(async sql => {
      const tx = makeTx(sql as unknown as Sql, projectId, pending)
      const changed = await change(tx)
      // Both are sent at once: from the log on the project's counter is held, and others wait for it.
      const [, answer] = await Promise.all([flush(tx, projectId, pending), read(tx, changed)])
      return { of: answer }
    })
    for (const act of pending.acts) act()
    if (pending.events.length) notifyLogChange(projectId)
    return (result as { of: A }).of
  } catch (error) {
    if (tries < maxTries && isDeadlock(error)) return commit(pool, projectId, { change, read }, tries + 1)
    throw error
  }
}

/** One change of one project: everything in it is committed with its events, or nothing is. */
export const transact = <T>(store: Store, projectId: string, change: (tx: Tx) => Promise<T>): Promise<T> =>
  transactAndRead(store, projectId, change, async (_tx, changed) => changed)

/** The same, answered by what `read` finds after the change. */
export const transactAndRead = async <T, A>(
  store: Store,
  projectId: string,
  change: (tx: Tx) => Promise<T>,
  read: (tx: Tx, changed: T) => Promise<A>,
): Promise<A> => (isOpen(store) ? join(store, change, read) : commit(store, projectId, { change, read }))

/** Joins an open transaction. Only the outermost change is what is answered. */
async function join<T, A>(
  tx: Tx,
  change: (tx: Tx) => Promise<T>,
  read: (tx: Tx, changed: T) => Promise<A>,
): Promise<A> {
  const { keepsAnswer } = tx
  tx.keepsAnswer = false
  const changed = await change(tx)
  if (keepsAnswer) await tx.writeLog()
  return read(tx, changed)
}

/** All in one turn and in this order, the same for everybody: the project's counter is locked before what is due. */
const flush = (tx: Tx, projectId: string, { events, touched, due }: Pending) =>
  Promise.all([
    ...writeLog(tx, projectId, events, touched),
    ...[...due].sort().map(([kind, at]) => tx`${noteDue(tx, projectId, kind, at)}`),
  ])

/** Rings for a statement that wrote its events itself: now, or when its transaction has committed. */
export function notifyAfter(store: Store, projectId: string): void {
  if (isOpen(store)) store.afterCommit(() => notifyLogChange(projectId))
  else notifyLogChange(projectId)
}
