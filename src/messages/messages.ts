export type { TakenMedia } from './draft.ts'
export {
  draftMessage,
  giveMedia,
  ownDraft,
  requireContent,
  requireMedia,
  systemDraft,
  takeMedia,
} from './draft.ts'
export { editMessage, retryMessage } from './edit.ts'
export { getMessage, getTicketId, listTicketMessages } from './find.ts'
export { postMessage } from './post.ts'
export { findTicketId } from './queries.ts'
export { previewOf } from './render.ts'
export { sendDueMessages } from './scheduled.ts'
export { addMessage } from './write.ts'
