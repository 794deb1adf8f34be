/** The queue of messages that leave Deskbell, and the worker that sends them. */

export {
  type AttemptSteps,
  createAttemptRules,
  type NextAttempt,
  phaseOfCall,
} from './attempts.ts'
export { countOutgoing } from './outgoing-metrics.ts'
export {
  type Account,
  type ClaimedMessage,
  countLeased,
  deleteQueued,
  type HeldAccounts,
  hasQueued,
  isClaimed,
  type Phase,
  queueAgain,
  queueMessage,
  releaseQueued,
  updatePhase,
  updatePostponed,
  updateReleased,
  wakeAccount,
} from './queue.ts'
export { recordDelivery, recordHeld } from './record.ts'
export { type OutgoingChannel, type SendingLimits, startSending } from './worker.ts'
