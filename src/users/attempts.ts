import type { Sql } from '../core/db/db.ts'
import { foldEmail } from '../core/email.ts'

/**
 * Counts wrong sign-ins in a row, in the database for all processes. An attempt is recorded before the password is checked, so that a
 * hundred concurrent attempts count as a hundred. A correct password removes its record.
 */

/** Attempts without a wait. An office shares one address, and strangers with many addresses must not be able to block an account quickly. */
const free = {
  pair: 5,
  browser: 5,
  account: 100,
  address: 20,
  resetPair: 3,
  resetAddress: 20,
  resetAccount: 10,
}

/** What is counted: a kind, and the account or address. */
export type AttemptSubject = [kind: keyof typeof free, ...names: string[]]

const textOf = ([kind, ...names]: AttemptSubject): string => `${kind}:${names.join(' ').toLowerCase()}`

/** Seconds to wait; 0 if the attempt is allowed. */
export interface LimitedAttempt {
  wait: number
  /** Whether a failure of this attempt causes a wait. */
  isLast: boolean
}

/** Earlier than the now() of every running transaction, so that concurrent attempts do not block each other. */
const open = (sql: Sql) => sql`now() - interval '1 minute'`

/** The wait starts at 30 s, doubles with each further attempt, up to 15 minutes. The count is deleted after a day without attempts. */
async function countAttempt(sql: Sql, given: AttemptSubject): Promise<LimitedAttempt> {
  const subject = textOf(given)
  const limit = free[given[0]]
  const [counted] = await sql<{ count: number }[]>`
    insert into sign_in_attempts as kept (subject, count, locked_until) values (${subject}, 1, ${open(sql)})
    on conflict (subject) do update set
      count = case when kept.tried_at < now() - interval '1 day' then 1 else kept.count + 1 end,
      locked_until = case when kept.count + 1 < ${limit}::int or kept.tried_at < now() - interval '1 day' then ${open(sql)}
        else now() + least(900, 30 * 2 ^ least(kept.count + 1 - ${limit}::int, 10)) * interval '1 second' end,
      tried_at = now()
    where kept.locked_until <= now()
    returning count`
  if (counted) return { wait: 0, isLast: counted.count >= limit }
  const [locked] = await sql<{ wait: number }[]>`
    select ceil(extract(epoch from locked_until - now()))::int as wait
    from sign_in_attempts where subject = ${subject}`
  return { wait: Math.max(1, locked?.wait ?? 1), isLast: false }
}

/** Counts the attempt for each subject, or for none if one of them has to wait. The first subject decides `isLast`. */
export async function spendAttempts(sql: Sql, subjects: AttemptSubject[]): Promise<LimitedAttempt> {
  let isLast = false
  for (const [place, subject] of subjects.entries()) {
    const counted = await countAttempt(sql, subject)
    if (counted.wait) {
      await takeBackAttempts(sql, subjects.slice(0, place))
      return counted
    }
    if (place === 0) isLast = counted.isLast
  }
  return { wait: 0, isLast }
}

/** Removes one attempt of each subject, because it turned out not to be a wrong one. */
export async function takeBackAttempts(sql: Sql, subjects: AttemptSubject[]): Promise<void> {
  for (const subject of subjects)
    await sql`
      update sign_in_attempts set count = greatest(count - 1, 0), locked_until = ${open(sql)}
      where subject = ${textOf(subject)}`
}

export const forgetAttempts = (sql: Sql, subject: AttemptSubject) => sql`
  delete from sign_in_attempts where subject = ${textOf(subject)}`

/** Deletes the attempts that count against an account, from any address. */
export async function forgetAttemptsAt(sql: Sql, address: string): Promise<void> {
  const email = foldEmail(address)
  await forgetAttempts(sql, ['account', email])
  await sql`delete from sign_in_attempts where starts_with(subject, ${textOf(['pair', email, ''])})`
}
