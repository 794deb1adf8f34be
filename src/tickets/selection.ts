import { type Fragment, plannedUnless, type Sql } from '../core/db.ts'
import type { Sort } from '../core/paging.ts'

/** What a list selects and how it is ordered; counting may need fewer tables. */
export interface Selection {
  from: Fragment
  where: Fragment
  countFrom: Fragment
  countWhere: Fragment
  countId: Fragment
  /** Everything that is no spam. */
  isWhole: boolean
  /** One index holds exactly what is asked, in its order: the way there is the same whatever the values. */
  isSettled: boolean
  sort: Sort
}

export const findTicketIds = (
  sql: Sql,
  { from, where, sort, isSettled }: Pick<Selection, 'from' | 'where' | 'sort' | 'isSettled'>,
  ordering: Fragment,
) =>
  plannedUnless(
    isSettled,
    sql<{ id: string; sort_value: string | null }[]>`
      select ${sort.id} as id, ${sort.column} as sort_value from ${from} where ${where} ${ordering}`,
  )

export async function countTickets(
  sql: Sql,
  { countFrom, countWhere, isSettled }: Pick<Selection, 'countFrom' | 'countWhere' | 'isSettled'>,
  limit: number,
): Promise<number> {
  const most = isSettled ? sql.unsafe(String(limit)) : sql`${limit}`
  const [row] = await plannedUnless(
    isSettled,
    sql<{ count: number }[]>`
      select count(*)::int as count from (select from ${countFrom} where ${countWhere} limit ${most}) t`,
  )
  return row!.count
}
