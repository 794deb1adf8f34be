import { type Fragment, preparedIf, type Sql } from '../../core/db/db.ts'
import type { Sort } from '../../core/paging/paging.ts'

/** The tickets that a list selects, and their order. Counting may need fewer tables. */
export interface Selection {
  from: Fragment
  where: Fragment
  countFrom: Fragment
  countWhere: Fragment
  countId: Fragment
  /** Whether the list has all tickets except spam. */
  isWhole: boolean
  /** Whether one index has exactly these tickets in this order, so that one plan is best for all values. */
  isSettled: boolean
  sort: Sort
}

/** The same selection without one ticket. */
export function withoutTicket(sql: Sql, selection: Selection, id: string): Selection {
  const { where, countWhere, countId, sort } = selection
  return {
    ...selection,
    where: sql`${where} and ${sort.id} <> ${id}`,
    countWhere: sql`${countWhere} and ${countId} <> ${id}`,
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
  const maxCount = isSettled ? sql.unsafe(String(limit)) : sql`${limit}`
  const [row] = await preparedIf(
    isSettled,
    sql<{ count: number }[]>`
      select count(*)::int as count from (select from ${countFrom} where ${countWhere} limit ${maxCount}) t`,
  )
  return row!.count
}
