import type { Db } from '../../src/core/db/db.ts'
import type { RecordedStatement } from '../record-statements.ts'

/** A node of a plan, as `explain (format json, verbose)` prints it. */
export interface PlanNode {
  'Node Type': string
  Operation?: string
  'Relation Name'?: string
  Alias?: string
  'Subplan Name'?: string
  'CTE Name'?: string
  'Function Call'?: string
  'Index Cond'?: string
  'Recheck Cond'?: string
  Filter?: string
  Output?: string[]
  Plans?: PlanNode[]
}

export type Planner = (statement: Pick<RecordedStatement, 'text' | 'types'>) => Promise<PlanNode>

/**
 * Plans statements without the values of their parameters: the plan shows a condition on a parameter as `$1` wherever the planner
 * has derived it. `own` has one connection.
 */
export async function createPlanner(own: Db): Promise<Planner> {
  const types = await own<{ oid: number; name: string }[]>`
    select oid::int, format_type(oid, null) as name from pg_type where typtype in ('b', 'e')`
  const names = new Map(types.map(({ oid, name }) => [oid, name]))
  await own.unsafe('set plan_cache_mode = force_generic_plan')
  return async statement => {
    const declared = statement.types.map(oid => names.get(oid) ?? 'unknown')
    const list = (words: string[]): string => (words.length ? `(${words.join(', ')})` : '')
    await own.unsafe(`prepare planned${list(declared)} as ${statement.text}`).simple()
    try {
      const values = list(declared.map(() => 'null'))
      const [row] = await own
        .unsafe(`explain (format json, verbose, costs off) execute planned${values}`)
        .simple()
      return row!['QUERY PLAN'][0].Plan
    } finally {
      await own.unsafe('deallocate planned').simple()
    }
  }
}

/** The node and all below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
