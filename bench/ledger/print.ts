import { printTable } from '../figures.ts'
import type { Verdict } from './compare.ts'

/** Counts, and each list that must be empty; true when all of them are. */
export function printVerdict({ faults, ...counts }: Verdict, more: Record<string, number>): boolean {
  console.log(printTable(['ledger', ''], Object.entries({ ...counts, ...more })))
  for (const [name, list] of Object.entries(faults)) {
    console.log(`${name}: ${list.length}${list.length ? `, such as ${list.slice(0, 3).join('; ')}` : ''}`)
  }
  return Object.values(faults).every(list => list.length === 0)
}
