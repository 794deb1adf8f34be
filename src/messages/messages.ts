export { type DeliveryChange, updateDelivery, updateEmail, updateSentByEmail } from './delivery.ts'
export type { ChannelFields, LockedMedia } from './draft.ts'
export {
  attachLockedMedia,
  draftMessage,
  explainMissingMedia,
  lockMediaForMessage,
  ownDraft,
  requireContent,
  requireMedia,
  systemDraft,
} from './draft.ts'
export { editMessage, retryMessage } from './edit.ts'
export {
  getMessage,
  getTicketId,
  listGivenMessages,
  listTicketMessages,
  searchMessages,
  toTicketId,
} from './find.ts'
export { gatheredMessages, indexedMessages, type SearchedMessage } from './indexed.ts'
export { listNewer, lockAndListNewer } from './newer-messages.ts'
export {
  automaticSystem,
  canReachInOutlets,
  hasNoMessenger,
  isAutomatic,
  isAutomaticIn,
  isOutgoingChannel,
  type Outlet,
  type OutletInput,
  type RetriedMessage,
  type WrittenMessage,
} from './outlets.ts'
export { postLocked, postMessage } from './post.ts'
export {
  findMessage,
  findSurvivor,
  findTicketId,
  lockMessage,
  type MessageDraft,
  type MessageRow,
} from './queries.ts'
export { addReaction, removeReaction, replaceReactions } from './react.ts'
export { alertReader, readTicket, unreadTicket } from './read.ts'
export { deleteReceived, editReceived, type ReceivedFields, replaceReceived } from './received.ts'
export { recountActivity, restoreWait } from './recount.ts'
export { plainText, previewInTicket, previewOf, readableText, renderContent, subjectOf } from './render.ts'
export {
  cancelScheduled,
  findDueMessages,
  rescheduleMessage,
  sendScheduledNow,
  waitingScheduled,
} from './scheduled.ts'
export { addMessage, isWaiting, messageCreated } from './write.ts'
