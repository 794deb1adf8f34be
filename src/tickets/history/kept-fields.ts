import type { Tx } from '../../events/transaction.ts'
import { listNamesById } from './history-queries.ts'
import type { ShownKeptField } from './schema.ts'
import type { Undone } from './undo-locked.ts'

/** The fields that an undo did not restore, as they are shown. */

const listKept = ({ kept, missing, wasUndone }: Undone): ShownKeptField[] => [
  ...kept.map(({ field, change }) => ({
    field,
    reason: wasUndone ? ('already_undone' as const) : ('changed_since' as const),
    by: change?.by ?? null,
    at: change?.at ?? null,
  })),
  ...missing.map(field => ({ field, reason: 'not_found' as const, by: null, at: null })),
]

/** With the names of those who changed them. */
export async function showKept(tx: Tx, outcomes: Undone[]): Promise<ShownKeptField[][]> {
  const lists = outcomes.map(listKept)
  const authors = lists.flat().flatMap(({ by }) => (by?.id && by.name === null ? [by.id] : []))
  const names = await listNamesById(tx, tx.projectId, [...new Set(authors)])
  const named = (by: ShownKeptField['by']) => by && { ...by, name: by.name ?? names.get(by.id ?? '') ?? null }
  return lists.map(list => list.map(one => ({ ...one, by: named(one.by) })))
}
