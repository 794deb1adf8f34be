import type { Sql } from '../core/db.ts'

/**
 * Wrong sign-ins in a row, counted in the database for all processes. An attempt is written down before the password is
 * looked at, so that a hundred at once are a hundred; a right one takes back what it wrote.
 */

/** Attempts that cost no waiting: an office shares one address. */
const free = { account: 5, address: 20, reset: 3 }

type Kind = keyof typeof free

const subjectOf = (kind: Kind, name: string): string => `${kind}:${name.toLowerCase()}`

/** Seconds that somebody has to wait; 0 when the attempt may be made. */
export interface Attempt {
  wait: number
  /** Whether a failure of this one closes the door for a while. */
  isLast: boolean
}

/** The wait begins at 30 s, doubles with each further attempt, and ends at 15 minutes. A quiet day forgets them. */
export async function countAttempt(sql: Sql, kind: Kind, name: string): Promise<Attempt> {
  const subject = subjectOf(kind, name)
  const limit = free[kind]
  const [counted] = await sql<{ count: number }[]>`
    insert into sign_in_attempts as kept (subject, count, locked_until) values (${subject}, 1, now())
    on conflict (subject) do update set
      count = case when kept.tried_at < now() - interval '1 day' then 1 else kept.count + 1 end,
      locked_until = case when kept.count + 1 < ${limit}::int or kept.tried_at < now() - interval '1 day' then now()
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

/** Takes back one attempt that was none. */
export const takeBackAttempt = (sql: Sql, kind: Kind, name: string) => sql`
  update sign_in_attempts set count = greatest(count - 1, 0), locked_until = now()
  where subject = ${subjectOf(kind, name)}`

export const forgetAttempts = (sql: Sql, kind: Kind, name: string) => sql`
  delete from sign_in_attempts where subject = ${subjectOf(kind, name)}`
