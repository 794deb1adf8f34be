import type { Vault } from '../../../core/crypto.ts'
import type { Db } from '../../../core/db/db.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { type Authentication, readAuthentication } from '../../../mail/authentication.ts'
import { makeSenderCheck, type SenderCheck } from '../../../mail/check-sender.ts'
import type { Mail } from '../../../mail/mail.ts'
import { makeMailReader } from '../../../mail/read.ts'
import { lockMailbox } from '../mailboxes/queries.ts'
import { followDecision } from './decision.ts'
import { findHandledCopy, type MailSummary, summaryOf } from './duplicates.ts'
import { finishMail, type OnMail } from './handle.ts'
import {
  type ClaimedMail,
  hasOlderInProgress,
  type MailResult,
  updateMailWaiting,
} from './incoming-queries.ts'
import { type Judged, judgeMail } from './judge-mail.ts'
import { ContactBlocked } from './mail-contact.ts'
import { type OnReport, type ReceivedReport, reportClasses } from './mail-report.ts'
import { pathOf, withMail } from './mail-source.ts'
import type { MailOutcome } from './outcomes.ts'
import { type MailToPost, postMail } from './post-mail.ts'
import { type MailWork, type PreparingDeps, prepareMail } from './prepare-mail.ts'
import { findProjectFacts, type ProjectFacts } from './project-facts.ts'
import { storeMissingFiles } from './reread-files.ts'
import { rereadMail, storeReread } from './reread-mail.ts'
import { describeAuthentication, type ReceivedProbe, readProbe, recordProbe } from './take-probe.ts'

/** Turns stored emails into messages. Every email ends with exactly one outcome. */

export interface TakingDeps extends PreparingDeps {
  vault: Vault
  onReport: OnReport
  /** DNS servers for the check of senders; those of the system by default. */
  nameServers?: string[] | undefined
}

interface Work extends MailWork {
  deps: TakingDeps
  checkSender: SenderCheck
}

/** Whether the email is a report about an email that the project sent, or claims to be one. */
const isReport = ({ class: kind, isDecided }: Judged): boolean =>
  !isDecided && (kind === 'backscatter' || reportClasses.some(one => one === kind))

/** The outcome of an email that does not become a message; null if it does. */
function resultWithout(judged: Judged): MailResult | null {
  const { class: kind, evidence, writer, choice, isDecided, blockedBy } = judged
  if (isDecided) return writer.contact ? null : { state: 'parked', outcome: 'no_sender' }
  if (kind === 'loop') return { state: 'done', outcome: 'loop', reason: evidence }
  if (blockedBy) return { state: 'done', outcome: 'sender_blocked', reason: blockedBy }
  if (!writer.contact) return { state: 'parked', outcome: 'no_sender' }
  if (choice.warnings.includes('operator_unverified'))
    return { state: 'parked', outcome: 'operator_unverified' }
  return null
}

/** Handles a report in the transaction that records its outcome. */
const takeReport = ({ db, onReport }: TakingDeps, summary: MailSummary, report: ReceivedReport) =>
  transact(db, report.claimed.project_id, async tx => {
    await lock(tx, report.claimed)
    return finishMail(tx, report.claimed, { ...summary, ...(await onReport(tx, report)) })
  })

/** Mailboxes are locked before emails. */
const takeProbe = (
  db: Db,
  claimed: ClaimedMail,
  mail: Mail,
  mailboxId: string,
  taken: { probe: ReceivedProbe; authentication: Authentication },
) =>
  transact(db, claimed.project_id, async tx => {
    await lockMailbox(tx, tx.projectId, mailboxId)
    await lock(tx, claimed)
    const said = describeAuthentication(claimed, mail, taken.authentication)
    await recordProbe(tx, mailboxId, mail, taken.probe, said)
    const reason = taken.probe.words || null
    return finishMail(tx, claimed, { ...summaryOf(mail), state: 'done', outcome: 'probe', reason })
  })

class SupersededError extends Error {}

/** Locks the email first, as everywhere, and rolls back if another process has claimed it since. */
async function lock(tx: Tx, { project_id, id, attempts }: ClaimedMail): Promise<void> {
  const { count } = await tx`
    select from incoming_mails where project_id = ${project_id} and id = ${id} and attempts = ${attempts} and state = 'stored'
    for no key update`
  if (count === 0) throw new SupersededError('Another process has handled this email')
}

async function post(db: Db, claimed: ClaimedMail, summary: MailSummary, ready: MailToPost) {
  try {
    return await transact(db, claimed.project_id, async tx => {
      await lock(tx, claimed)
      const original = ready.judged.isDecided ? null : await findHandledCopy(tx, claimed, summary)
      if (original)
        return finishMail(tx, claimed, {
          ...summary,
          state: 'duplicate',
          outcome: 'duplicate',
          duplicate_of_id: original,
        })
      const { reason, ticketId, messageId } = await postMail(tx, ready)
      const { class: kind, evidence } = ready.judged
      const known = { ...summary, ticket_id: ticketId, message_id: messageId }
      return finishMail(tx, claimed, { ...known, state: 'done', outcome: reason, reason: evidence || kind })
    })
  } catch (error) {
    if (!(error instanceof ContactBlocked)) throw error
    return finishMail(db, claimed, { ...summary, state: 'done', outcome: 'contact_blocked' })
  }
}

const isUnmatchedReply = ({ headers }: Mail, { choice }: Judged): boolean =>
  choice.target.kind === 'new' && headers.inReplyTo.length + headers.references.length > 0

/** Anyone can connect by SMTP, so headers with results are believed only if our mail server or provider has delivered the email. */
async function authenticate({ claimed, mail, folder, checkSender }: Work, { mailbox }: ProjectFacts) {
  const { source, client, envelope_from: sender } = claimed
  if (source !== 'smtp' || !client) return readAuthentication(mail.headers, mailbox.authserv_ids)
  const delivery = { ip: client.ip, helo: client.helo, sender: sender ?? '' }
  return checkSender(pathOf(folder), mail.headers.from?.address ?? '', delivery)
}

async function take(work: Work, key: Buffer): Promise<MailOutcome | null> {
  const { claimed, mail } = work
  const { db } = work.deps
  const facts = await findProjectFacts(db, claimed)
  const summary = summaryOf(mail)
  if (!facts) return finishMail(db, claimed, { ...summary, state: 'parked', outcome: 'mailbox_removed' })
  const authentication = await authenticate(work, facts)
  const isDecided = claimed.decision !== null && claimed.decision.kind !== 'reparse'
  const probe = isDecided ? null : readProbe(key, claimed, mail, facts)
  if (probe) return takeProbe(db, claimed, mail, facts.mailbox.id, { probe, authentication })
  const judged = followDecision(
    await judgeMail({ sql: db, key }, claimed, mail, facts, authentication),
    claimed.decision,
    claimed.envelope_from,
  )
  // The email that it answers may be among those that are being handled.
  if (!judged.isDecided && isUnmatchedReply(mail, judged) && (await hasOlderInProgress(db, claimed))) {
    await updateMailWaiting(db, claimed)
    return null
  }
  if (isReport(judged)) return takeReport(work.deps, summary, { claimed, mail, facts, judged, key })
  const result = resultWithout(judged)
  if (result) return finishMail(db, claimed, { ...summary, ...result })
  return post(db, claimed, summary, await prepareMail(work, judged, facts))
}

/** Reads the original of a message again. */
async function takeAgain(work: Work, key: Buffer): Promise<null> {
  const { claimed, deps } = work
  const again = await rereadMail(work, key)
  if (again) await storeMissingFiles(work, again)
  await transact(deps.db, claimed.project_id, async tx => {
    await lock(tx, claimed)
    const changes = again ? (await storeReread(tx, again)).fields : []
    const decision = { ...claimed.decision!, changes }
    await finishMail(tx, claimed, { state: 'done', last_error: null, decision })
  })
  return null
}

/** Handles stored emails until closed. */
export function createMailTaker(
  deps: TakingDeps,
  reader = makeMailReader(),
): { take: OnMail; close(): Promise<void> } {
  const key = deps.vault.derive('mail')
  const checkSender = makeSenderCheck(deps.nameServers)
  const closing = new AbortController()
  const reading = { storages: deps.storages, reader, signal: closing.signal }
  return {
    take: claimed =>
      withMail(reading, claimed, (mail, folder) => {
        const work = { deps, checkSender, reader, claimed, mail, folder, signal: closing.signal }
        return claimed.message_id ? takeAgain(work, key) : take(work, key)
      }).catch(error => {
        if (error instanceof SupersededError) return null
        throw error
      }),
    async close() {
      closing.abort()
      await reader.close()
    },
  }
}
