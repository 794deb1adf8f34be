import { printTable } from '../figures.ts'
import type { Verdict } from './compare.ts'

/** Prints the counts and the lists of faults. Returns true if all lists are empty. */
export function printVerdict({ faults, ...counts }: Verdict, more: Record<string, number>): boolean {
  console.log(printTable(['ledger', ''], Object.entries({ ...counts, ...more })))
  for (const [name, list] of Object.entries(faults)) {
    console.log(`${name}: ${list.length}${list.length ? `, such as ${list.slice(0, 3).join('; ')}` : ''}`)
  }
  return Object.values(faults).every(list => list.length === 0)
}
