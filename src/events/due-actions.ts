import pLimit from 'p-limit'
import { type DbOrTx, type Tx, transact } from './transaction.ts'

export interface DueAction {
  project_id: string
  id: string
  /** Rows with the same ticket are changed one after the other, in this order. */
  ticket_id?: string
}

const maxAtOnce = 4

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
  const limit = pLimit(maxAtOnce)
  const groups = Map.groupBy(due, ({ id, ticket_id }) => ticket_id ?? id)
  const changeAll = async (rows: DueAction[]): Promise<void> => {
    for (const { project_id, id } of rows) {
      try {
        if (await transact(store, project_id, tx => change(tx, id))) changed++
      } catch (error) {
        failure ??= error
      }
    }
  }
  await Promise.all([...groups.values()].map(rows => limit(changeAll, rows)))
  if (failure && !changed) throw failure
  return changed
}
