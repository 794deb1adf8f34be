import type { Db } from '../../src/core/db/db.ts'
import { templates } from '../conventions/statements.ts'
import type { RecordedStatement } from '../record-statements.ts'
import { listClocks } from './clocks.ts'
import { judgePlan, type Keys, usesProjects, writesProjects } from './judge.ts'
import { listKeys } from './keys.ts'
import { createPlanner, type PlanNode } from './plan.ts'

export interface Judged extends RecordedStatement {
  path: string
  /** The text in the source, or the recorded text of a statement that has no template. */
  source: string
  plan: PlanNode | null
  /** What is wrong with how it uses the project. */
  faults: string[]
  /** What is wrong with how it uses the clock. */
  clockFaults: string[]
}

const sources = new Map(templates.map(({ origin, text }) => [origin, text]))

export const flatten = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function judgeClock(statement: RecordedStatement, plan: PlanNode, keys: Keys): string[] {
  if (!writesProjects(plan, keys)) return []
  return listClocks(statement.text).map(place => `the clock is read in ${place}`)
}

/** Plans and judges each statement that uses a project's table. */
export async function judgeAll(own: Db, statements: RecordedStatement[]): Promise<Judged[]> {
  const [keys, plan] = [await listKeys(own), await createPlanner(own)]
  const judged: Judged[] = []
  for (const statement of statements) {
    const path = statement.origin.split(':')[0]!
    const source = sources.get(statement.origin) ?? flatten(statement.text)
    const base = { ...statement, path, source }
    try {
      const root = await plan(statement)
      if (!usesProjects(root, keys)) continue
      const faults = judgePlan(statement, root, keys)
      judged.push({ ...base, plan: root, faults, clockFaults: judgeClock(statement, root, keys) })
    } catch (error) {
      const faults = [`it cannot be planned: ${(error as Error).message}`]
      judged.push({ ...base, plan: null, faults, clockFaults: [] })
    }
  }
  return judged
}
