/** The queue of messages that leave Deskbell, and the worker that sends them. */

export {
  type Account,
  type ClaimedMessage,
  countLeased,
  deleteQueued,
  type HeldAccounts,
  hasQueued,
  isClaimed,
  listOldestQueued,
  type OutgoingName,
  type Phase,
  queueAgain,
  queueMessage,
  releaseQueued,
  updatePhase,
  updatePostponed,
  updateReleased,
  wakeAccount,
} from './queue.ts'
export { type OutgoingChannel, type SendingLimits, startSending } from './worker.ts'
