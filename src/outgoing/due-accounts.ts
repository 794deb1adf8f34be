import type { Db } from '../core/db/db.ts'
import { listDue, noteMissing, postpone } from '../core/due/due-work.ts'
import { type Account, type HeldAccounts, nextOfAccount, waitingAccounts } from './queue.ts'
import { type OutgoingName, outgoingSignals } from './signals.ts'

const checkEveryMs = 60_000

export const accountKey = ({ project_id, account_id }: Account): string => `${project_id} ${account_id}`

/** Keeps track of accounts that may have due messages, and of those that have none left. */
export function createDueAccounts(db: Db, { name, held }: { name: OutgoingName; held: HeldAccounts }) {
  const { kind } = outgoingSignals[name]
  const accounts = new Map<string, Account>()
  const ended = new Map<string, Account>()
  let checkedAt = Number.NEGATIVE_INFINITY
  return {
    accounts,
    add: (account: Account) => void accounts.set(accountKey(account), account),
    delete: (account: Account) => void accounts.delete(accountKey(account)),
    end: (account: Account) => void ended.set(accountKey(account), account),
    async look(): Promise<void> {
      if (performance.now() - checkedAt > checkEveryMs) {
        checkedAt = performance.now()
        await noteMissing(
          db,
          db`select ${kind}::text as kind, w.* from (${waitingAccounts(db, name, held, db`true`)}) w`,
        )
      }
      const done = [...ended.values()].map(({ project_id, account_id }) => ({
        project_id,
        subject_id: account_id,
      }))
      ended.clear()
      await postpone(db, kind, done, nextOfAccount(name, held))
      for (const { project_id, subject_id } of await listDue(db, [kind], 0, 1_000))
        this.add({ project_id, account_id: subject_id })
    },
  }
}
