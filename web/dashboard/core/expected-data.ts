import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** What changes that are under way will make of the data of a query. */

export interface Expected {
  key: QueryKey
  next(old: unknown): unknown
}

interface Pending {
  /** The data before the first of the changes. */
  before: unknown
  changes: Expected[]
  running: number
  isOutdated: boolean
}

const pendings = new Map<string, Pending>()

const pendingOf = (key: QueryKey): Pending | undefined => pendings.get(hashKey(key))

const show = (client: QueryClient, key: QueryKey, data: unknown): unknown =>
  client.setQueryData(key, (_old: unknown) => data)

/** Shows at once what a change will make of the data. */
export function expectData(client: QueryClient, change: Expected): void {
  const { key, next } = change
  const data = client.getQueryData(key)
  const expected = data === undefined ? undefined : next(data)
  const pending = pendingOf(key) ?? { before: data, changes: [], running: 0, isOutdated: false }
  pending.changes.push(change)
  pending.running++
  pendings.set(hashKey(key), pending)
  if (data !== undefined) show(client, key, expected)
}

/** Takes a failed change back. Those before and after it stay. */
export function takeBack(client: QueryClient, change: Expected): void {
  const pending = pendingOf(change.key)
  if (!pending || pending.before === undefined) return
  pending.changes = pending.changes.filter(one => one !== change)
  const kept = pending.changes.reduce<unknown>((data, { next }) => next(data), pending.before)
  show(client, change.key, kept)
}

/** A change has ended. Returns whether it was the last one of its query and a refetch has waited for it. */
export function endChange({ key }: Expected): boolean {
  const pending = pendingOf(key)
  if (!pending || --pending.running > 0) return false
  pendings.delete(hashKey(key))
  return pending.isOutdated
}

/** Whether a refetch has to wait for changes of the query. If so, it is remembered until the last one has ended. */
export function postponeRefetch(key: QueryKey): boolean {
  const pending = pendingOf(key)
  if (pending) pending.isOutdated = true
  return pending !== undefined
}
