import { accountKey } from './due-accounts.ts'
import type { Account } from './queue.ts'

/** Counts the messages that this process claims or sends, and chooses the next account. */

interface CapacityLimits {
  maxAtOnce: number
  maxPerAccount: number
}

export function createCapacity(
  { maxAtOnce, maxPerAccount }: CapacityLimits,
  isSlow: (account: Account) => boolean,
) {
  const counts = new Map<string, number>()
  let total = 0
  const countOf = (account: Account): number => counts.get(accountKey(account)) ?? 0

  /** How many more messages of an account this process may send. A slow account may send one if more than half of the process's capacity is free. */
  function countFree(account: Account): number {
    const free = maxAtOnce - total
    const count = countOf(account)
    if (isSlow(account)) return count === 0 && free > maxAtOnce / 2 ? 1 : 0
    return Math.min(free, maxPerAccount - count)
  }

  /** The account with the fewest running messages; null if no account can send another one. */
  function findNext(accounts: Iterable<Account>): Account | null {
    let found: Account | null = null
    for (const account of accounts) {
      const isBetter = found === null || countOf(account) < countOf(found)
      if (isBetter && countFree(account) > 0) found = account
      if (found && countOf(found) === 0) break
    }
    return found
  }

  function change(account: Account, by: number): void {
    const count = countOf(account) + by
    total += by
    if (count > 0) counts.set(accountKey(account), count)
    else counts.delete(accountKey(account))
  }

  return { countFree, findNext, change }
}
