import type { Db } from '../core/db/db.ts'
import { despiteFullDisk } from '../core/db/full-disk.ts'
import { firstSteps, recordFirstSteps } from '../projects/projects.ts'
import { findRecordedSteps, findTestTicket, listDoneSteps } from './queries.ts'
import type { FirstStepList } from './schema.ts'

/** The steps of setting up a project. Steps that are found to be done are recorded. Once the list is hidden, nothing is looked up. */
export async function showFirstSteps(db: Db, projectId: string): Promise<FirstStepList> {
  const { first_steps: recorded, has_first_steps: is_shown } = await findRecordedSteps(db, projectId)
  const missing = firstSteps.filter(name => !recorded.includes(name))
  const found = is_shown && missing.length ? await listDoneSteps(db, projectId, missing) : []
  const isNew = is_shown && (found.length > 0 || missing.length === 0)
  await despiteFullDisk(async isNoted => isNew && isNoted && recordFirstSteps(db, projectId, found))
  return {
    is_shown,
    items: firstSteps.map(name => ({ name, is_done: recorded.includes(name) || found.includes(name) })),
    test_ticket: is_shown ? await findTestTicket(db, projectId) : null,
  }
}
