export { countImportedMessages } from './count-imported.ts'
export { importContacts } from './import-contacts.ts'
export { type FileToImport, importFile } from './import-file.ts'
export { importMessages } from './import-messages.ts'
export { importOrganizations } from './import-organizations.ts'
export { importTickets, type TicketImportResult } from './import-tickets.ts'
export { type ImportedBefore, listImportedMessages } from './list-imported.ts'
export type { ImportedMembership, ImportedOrganization } from './organization-schema.ts'
export { findImport, listImports } from './queries.ts'
export {
  deleteContacts,
  deleteMediaOf,
  deleteMessages,
  deleteTickets,
  lockContactsToRemove,
  lockIdentitiesToRemove,
  lockTicketsToRemove,
  updateLinkedTickets,
  updateReplies,
  waitingRemovals,
} from './removal-queries.ts'
export { continueRemovals, removeImport } from './remove.ts'
export type { ImportTarget } from './run.ts'
