import { type Fragment, preparedIf, type Sql } from '../core/db.ts'
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

/** The same without one ticket. */
export function withoutTicket(sql: Sql, selection: Selection, id: string): Selection {
  const { where, countWhere, countId, sort } = selection
  return {
    ...selection,
    where: sql`${where} and ${sort.id} <> ${id}` as Fragment,
    countWhere: sql`${countWhere} and ${countId} <> ${id}` as Fragment,
    isWhole: false,
    isSettled: false,
  }
}

export const findTicketIds = (
  sql: Sql,
  { from, where, sort, isSettled }: Pick<Selection, 'from' | 'where' | 'sort' | 'isSettled'>,
  ordering: Fragment,
) =>
  preparedIf(
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
  const [row] = await preparedIf(
    isSettled,
    sql<{ count: number }[]>`
      select count(*)::int as count from (select from ${countFrom} where ${countWhere} limit ${most}) t`,
  )
  return row!.count
}
