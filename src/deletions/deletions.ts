export {
  beginDeletion,
  createDeletion,
  createDeletions,
  type DeletionStep,
  waitingDeletions,
} from './delete-project.ts'
export { findPlannedDeletion, type PlannedDeletion } from './find-deletion.ts'
export { countObjects, deleteStrayObjects } from './queries.ts'
