import { type Store, type Tx, transact } from './transaction.ts'

/** A row whose time has come. */
export interface DueAction {
  project_id: string
  id: string
}

/**
 * Makes a change for each row that is due, and answers how many were made. A row whose change fails holds up no other;
 * its error is told when nothing else could be done.
 */
export async function runDueActions(
  store: Store,
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
