export { closeForgottenTickets, waitingSnoozes, wakeTickets } from './automatic.ts'
export { actOnTickets } from './bulk.ts'
export { changeTicket } from './change.ts'
export { closeTicket, rateTicket, reopenTicket } from './close.ts'
export { readContext } from './context.ts'
export { createTicket, type Opening, openTicket } from './create.ts'
export { getSurvivor, getTicket } from './find.ts'
export { moveTicketsToDepartment, releaseTickets } from './handover.ts'
export { type ContactMessage, hearContact } from './hear.ts'
export { gatheredTickets, indexedTickets } from './indexed.ts'
export { mergeTicket } from './merge.ts'
export { moveMessage } from './move.ts'
export { updateTicket } from './queries.ts'
export { type PostedReply, postEmailNote, postEmailReply, replyToTicket } from './reply.ts'
export {
  countSearch,
  isCostlySearch,
  listContactTickets,
  plainWords,
  searchTickets,
} from './search/search.ts'
export { sendDueMessages } from './send-due.ts'
export { changeInboxSettings, findInboxSettings } from './settings.ts'
export { splitMessage, splitTicket } from './split.ts'
export { record } from './system-messages.ts'
export { printAnswer } from './system-texts.ts'
export { forceTakeTicket, takeTicket, transferTicket } from './take.ts'
export { deleteOldMerges, unmergeTicket } from './unmerge.ts'
