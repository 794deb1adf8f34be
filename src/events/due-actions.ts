import { type DbOrTx, type Tx, transact } from './transaction.ts'

export interface DueAction {
  project_id: string
  id: string
}

/**
 * Makes a change for each row that is due, and returns how many changes were made. A failed change does not stop the others. Its
 * error is thrown only if no change could be made.
 */
export async function runDueActions(
  store: DbOrTx,
  due: readonly DueAction[],
  change: (tx: Tx, id: string) => Promise<boolean>,
): Promise<number> {
  let changed = 0
  let failure: unknown = null
  for (const { project_id, id } of due) {
    try {
      if (await transact(store, project_id, tx => change(tx, id))) changed++
    } catch (error) {
      failure ??= error
    }
  }
  if (failure && !changed) throw failure
  return changed
}
