/** Notifies operators who do not look at Deskbell: in their browsers, and by an email that lists what waits for them. */

export { waitingDigests } from './digest-queries.ts'
export { createDigestSending } from './send-digests.ts'
export { createPushing } from './send-pushes.ts'
export { mountUnsubscribe } from './unsubscribe.ts'
