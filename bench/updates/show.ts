import { printTable } from '../figures.ts'
import type { PromiseId } from '../promises.ts'
import { record } from '../results.ts'

/** A line of the report. Lines with the same id belong to one promise. */
export interface Shown {
  id?: PromiseId
  what: string
  wanted: string
  measured: string
  isKept: boolean
}

const busy = 'Other programs have a share in it; see the load'

export function show(lines: Shown[]): boolean {
  const rows = lines.map(({ id = '', what, wanted, measured, isKept }) => [
    id,
    what,
    wanted,
    measured,
    isKept ? '' : 'NOT KEPT',
  ])
  console.log(printTable(['', 'updates', 'wanted', 'measured', ''], rows))
  for (const [id, parts] of Map.groupBy(lines, ({ id }) => id)) {
    const isKept = parts.every(part => part.isKept)
    const measured = parts.map(({ what, measured }) => `${what}: ${measured}`).join('; ')
    if (id) record(id, { measured, isKept, ...(!isKept && { note: busy }) })
  }
  return lines.every(({ isKept }) => isKept)
}
