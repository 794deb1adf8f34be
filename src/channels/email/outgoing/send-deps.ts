import type { Log } from '../../../core/telemetry/log.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import type { BuildDeps } from './build-email.ts'
import type { SentCopy } from './outgoing-queries.ts'
import type { Sessions } from './sessions.ts'
import type { ConnectDeps } from './smtp-place.ts'

/** What sending an email needs. */
export interface SendDeps extends ConnectDeps, BuildDeps {
  log: Log
  sessions: Sessions
  stopping: AbortSignal
  /** Milliseconds between attempts. */
  pauses?: number[] | undefined
  /** Milliseconds after a lost answer. */
  uncertainMs?: number | undefined
  /** The server of the mailbox could not be used, or could be used. */
  onBroken(mailbox: FetchedMailbox): void
  onWorking(mailbox: FetchedMailbox): void
  /** Stores a copy in the Sent folder, in the background. */
  saveCopy(copy: SentCopy): void
}
