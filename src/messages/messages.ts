export type { TakenMedia } from './draft.ts'
export {
  draftMessage,
  giveMedia,
  ownDraft,
  requireContent,
  requireMedia,
  sortMissing,
  systemDraft,
  takeMedia,
} from './draft.ts'
export { editMessage, retryMessage } from './edit.ts'
export { getMessage, getTicketId, listTicketMessages, searchMessages, toTicketId } from './find.ts'
export { gatheredMessages, indexedMessages, type SearchedMessage } from './indexed.ts'
export { listNewer } from './newer.ts'
export { postLocked, postMessage } from './post.ts'
export { findSurvivor, findTicketId, type MessageDraft } from './queries.ts'
export { addReaction, removeReaction } from './react.ts'
export { readTicket, unreadTicket } from './read.ts'
export { recountActivity } from './recount.ts'
export { plainText, previewOf, renderContent, subjectOf } from './render.ts'
export { type OnReply, setOnReply } from './reply.ts'
export { findDueMessages, rescheduleMessage, sendWaiting, takeBack, waitingMessages } from './scheduled.ts'
export { addMessage, isWaiting } from './write.ts'
