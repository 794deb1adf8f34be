import type { Vault } from '../core/crypto.ts'
import type { Db } from '../core/db/db.ts'
import type { Log } from '../core/telemetry/log.ts'
import { transact } from '../events/transaction.ts'
import { deleteDueStrayObjects, type Storages } from '../media/media.ts'
import {
  clearSomeDeliveries,
  clearSomeEvents,
  clearSomeRequests,
  clearSomeResponses,
  deleteArchives,
} from './clear-logs.ts'
import { deletePersonOfDeletion, deleteSomeElsewhere } from './delete-contact.ts'
import { deleteSomeTickets } from './delete-tickets.ts'
import { forgetSomeWords } from './forget-words.ts'
import type { Lot, Step } from './lot.ts'
import { avoidScans } from './plans.ts'
import {
  deleteDeletedRecords,
  findRunningDeletion,
  type LockedDeletion,
  lockDeletion,
  updateDeletionDone,
  updateDeletionPlace,
} from './queries.ts'

/** Continues deletions in short transactions, each of which records how far it came. A crash loses at most one of them. */

const deleteNotes: Step = async ({ tx, deletion }) =>
  (await deleteDeletedRecords(tx, tx.projectId, deletion.id, 5_000)) > 0 ? '' : null

/** The log of requests is searched by what the contact is known by, so it comes before the contact. All others know the ids. */
const steps = [
  ['tickets', deleteSomeTickets],
  ['elsewhere', deleteSomeElsewhere],
  ['requests', clearSomeRequests],
  ['person', deletePersonOfDeletion],
  ['events', clearSomeEvents],
  ['deliveries', clearSomeDeliveries],
  ['responses', clearSomeResponses],
  ['archives', deleteArchives],
  ['words', forgetSomeWords],
  ['notes', deleteNotes],
] as const satisfies [string, Step][]

interface Deps {
  storages: Storages
  vault: Vault
  log: Pick<Log, 'warn'>
}

/** Returns whether everything is deleted except the objects in the storage. */
async function runStep(lot: Lot): Promise<boolean> {
  const { tx, deletion, counts } = lot
  await avoidScans(tx)
  const at = steps.findIndex(([name]) => name === deletion.step)
  if (at < 0) return true
  const place = await steps[at]![1](lot)
  const step = place === null ? (steps[at + 1]?.[0] ?? 'objects') : deletion.step
  await updateDeletionPlace(tx, tx.projectId, deletion.id, { step, place: place ?? '', counts })
  return false
}

/** Removes the objects of deleted files before the deletion counts as finished. Those that the storage refuses are tried again by a job. */
async function deleteObjects(db: Db, { storages, log }: Deps): Promise<void> {
  while ((await deleteDueStrayObjects(db, storages, log)) > 0);
}

const startLot = (vault: Vault, deletion: LockedDeletion) => ({
  vault,
  deletion,
  counts: { tickets: 0, messages: 0, files: 0, mails: 0 },
})

/** Runs one transaction of the project's oldest deletion. Returns 1, or 0 if nothing is left to do. */
export async function continueDataDeletions(deps: Deps & { db: Db }, projectId: string): Promise<number> {
  const { db, vault } = deps
  const id = await findRunningDeletion(db, projectId)
  if (id === null) return 0
  const hasOnlyObjects = await transact(db, projectId, async tx => {
    const deletion = await lockDeletion(tx, projectId, id)
    return deletion !== null && (await runStep({ tx, ...startLot(vault, deletion) }))
  })
  if (!hasOnlyObjects) return 1
  await deleteObjects(db, deps)
  await updateDeletionDone(db, projectId, id)
  return 1
}
