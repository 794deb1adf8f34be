export { continueDataDeletions } from './continue-deletions.ts'
export { exportContact } from './export-contact.ts'
export { waitingDataDeletions } from './queries.ts'
export { getDataDeletion, pageDataDeletions, previewDeletion, requestDeletion } from './request-deletion.ts'
