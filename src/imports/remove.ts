import type { Db } from '../core/db/db.ts'
import { ApiError } from '../core/errors.ts'
import { type DbOrTx, transact } from '../events/transaction.ts'
import { findImport, lockImport } from './queries.ts'
import { findRemoving, updateRemoving } from './removal-queries.ts'
import { removeSome } from './remove-some.ts'
import { withImportLock } from './run.ts'
import type { ImportedSource } from './schema.ts'

/** Removes imports. */

/** Starts the removal of an import. A job continues it. */
export function removeImport(
  store: DbOrTx,
  projectId: string,
  source: string,
  { force = false }: { force?: boolean | undefined } = {},
): Promise<ImportedSource> {
  return transact(store, projectId, async tx => {
    if (!(await withImportLock(() => updateRemoving(tx, projectId, source, force))))
      throw new ApiError('IMPORT_NOT_FOUND')
    tx.noteDue('imports')
    return (await findImport(tx, projectId, source))!
  })
}

/** Deletes some records of an import. Returns 1, or 0 if nothing is left to do. */
export async function continueRemovals(db: Db, projectId: string): Promise<number> {
  const source = await findRemoving(db, projectId)
  if (source === null) return 0
  await transact(db, projectId, async tx => {
    const found = await lockImport(tx, projectId, source)
    if (found?.state === 'removing') await removeSome(tx, source, found)
  })
  return 1
}
