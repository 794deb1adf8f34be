import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import type { MayReach } from '../../../core/http/guarded-agent.ts'
import type { Log } from '../../../core/telemetry/log.ts'
import type { Storages } from '../../../media/media.ts'
import { startReceivingAccounts } from '../../accounts/receiving.ts'
import { describeFailure, type MailboxFailure } from '../mailboxes/failure.ts'
import type { FaultCode } from '../mailboxes/fault.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { measureFetching, noteFetched } from '../mailboxes/mailbox-metrics.ts'
import { mailboxTable } from '../mailboxes/queries.ts'
import { runSession } from './session.ts'

/** Fetches mailboxes by IMAP. */

export interface FetchDeps {
  db: Db
  vault: Vault
  storages: Storages
  log: Log
  mayReach: MayReach
}

/** Milliseconds. */
const minPauseMs = 5_000
const maxPauseMs = 15 * 60_000
const maxRequestedMs = 60 * 60_000
const cutOffPauseMs = 200

/** Providers may lock an account after many failed logins. */
const loginPauseMs = 60_000
const maxLogins = 3

const isLogin = (code: FaultCode): boolean => code === 'login_refused' || code === 'access_denied'

/** Whether someone has to correct the settings. If the login has worked before, a rejection may be temporary, so it is retried. */
function isBroken({ code, isFinal }: MailboxFailure, { last_ok_at, failures }: FetchedMailbox): boolean {
  if (isFinal) return true
  return isLogin(code) && (last_ok_at === null || failures + 1 >= maxLogins)
}

function pauseFor({ code, waitMs }: MailboxFailure, failures: number): number {
  // The email is skipped after three attempts. Short pauses keep it from delaying later emails.
  if (code === 'mail_cut_off') return cutOffPauseMs
  const usual = Math.min(minPauseMs * 2 ** Math.min(failures, 20), maxPauseMs)
  if (waitMs !== undefined) return Math.min(Math.max(waitMs, minPauseMs), maxRequestedMs)
  return isLogin(code) ? Math.max(usual, loginPauseMs) : usual
}

/** Fetches mailboxes until stopped. */
export function startFetching(deps: FetchDeps): { stop(): Promise<void> } {
  const unmeasure = measureFetching(deps.db)
  const receiving = startReceivingAccounts<FetchedMailbox>(deps, {
    table: mailboxTable,
    receive(mailbox, stopping) {
      const onFetched = (receivedAt: Date | null) => {
        // A mailbox that has worked is tried again after the shortest pause.
        mailbox.failures = 0
        noteFetched(receivedAt)
      }
      return runSession({ ...deps, stopping, onFetched }, mailbox)
    },
    describeFailure(error, mailbox) {
      const failure = describeFailure(error, mailbox.imap!)
      return {
        fault: { code: failure.code, values: failure.values },
        waitMs: pauseFor(failure, mailbox.failures),
        isBroken: isBroken(failure, mailbox),
      }
    },
    logFailure: (error, { address }, { fault }) =>
      deps.log.warn({ err: error, mailbox: address, code: fault.code }, 'Could not fetch a mailbox'),
  })
  return {
    async stop() {
      unmeasure()
      await receiving.stop()
    },
  }
}
