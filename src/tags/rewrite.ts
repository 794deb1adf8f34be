import type { Db } from '../core/db.ts'
import { transact } from '../events/transaction.ts'
import { deleteChange, listDueChanges, lockChange, rewriteTags, type TagChangeRow } from './queries.ts'

/** In one transaction; a ticket that is being answered waits no longer than this takes. */
const batch = 500

const rewriteSome = (db: Db, change: TagChangeRow): Promise<number> =>
  transact(db, change.project_id, async tx => {
    if ((await lockChange(tx, change)).length === 0) return 0
    const tickets = await rewriteTags(tx, 'tickets', change, batch)
    const done = tickets || (await rewriteTags(tx, 'contacts', change, batch))
    if (done === 0) await deleteChange(tx, change)
    return Math.max(done, 1)
  })

/** Brings renamed, merged and deleted tags to what has them; answers how much there was to do. */
export async function bringTagChanges(db: Db): Promise<number> {
  let done = 0
  for (const change of await listDueChanges(db)) done += await rewriteSome(db, change)
  return done
}
