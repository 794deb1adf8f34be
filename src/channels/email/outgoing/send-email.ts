import { domainToASCII } from 'node:url'
import { foldEmail } from '../../../core/email.ts'
import { errorOf } from '../../../core/thrown.ts'
import { transact } from '../../../events/transaction.ts'
import { makeReturnPath } from '../../../mail/tokens.ts'
import { type ClaimedMessage, updatePhase } from '../../../outgoing/outgoing.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { findFetchedMailbox } from '../mailboxes/queries.ts'
import { type AttemptOutcome, tryToSend } from './attempt.ts'
import { automaticOf } from './build-email.ts'
import { BuildError } from './build-error.ts'
import {
  findOutgoing,
  listRecipientRows,
  lockSentMessage,
  type OutgoingRow,
  type RecipientResult,
} from './outgoing-queries.ts'
import { isInFlight, markRefused, recordRecipients } from './record.ts'
import {
  type ClaimedEmail,
  cancelEmail,
  messageIdOf,
  postponeUncertain,
  recordOutcome,
  resolveUncertain,
} from './record-outcome.ts'
import type { SendDeps } from './send-deps.ts'
import type { DeliveryCode } from './sent-delivery.ts'
import { isInSent } from './sent-folder.ts'
import { connectSender } from './smtp-place.ts'
import { type SmtpSession, usualTimeouts } from './smtp-session.ts'
import { getBytes, openBytes, type StoredBytes } from './store-email.ts'

/** Sends one email that this process has claimed, and records the result. */

/** The recipient as the server wants it: domains are ASCII. */
function toRecipient(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at))
}

function returnPathOf({ key }: SendDeps, { row, mailbox, claimed }: ClaimedEmail): string {
  if (row.email && automaticOf(row.email)) return ''
  const path = mailbox.plus_works ? makeReturnPath(key, mailbox.address, claimed.message_id) : null
  return path ?? mailbox.address
}

/** An email whose answer was lost is sent again only to those who may have it. The others follow when that is known. */
const addressees = ({ claimed, rows }: ClaimedEmail): string[] =>
  rows
    .filter(one => one.status === 'pending' && (claimed.phase !== 'uncertain' || isInFlight(one)))
    .map(({ address }) => address)

/** The address as it was written, because the part before the @ may be case-sensitive. */
const spelledIn = ({ row: { email } }: ClaimedEmail, address: string): string =>
  [...(email?.to ?? []), ...(email?.cc ?? []), ...(email?.bcc ?? [])].find(
    one => foldEmail(one) === address,
  ) ?? address

/** Null means that nobody can tell. */
async function findInSent(deps: SendDeps, mail: ClaimedEmail): Promise<boolean | null> {
  try {
    return await isInSent(deps, mail.mailbox, messageIdOf(mail))
  } catch (error) {
    deps.log.warn({ err: error, mailbox: mail.mailbox.address }, 'Could not look for an email in Sent')
    return null
  }
}

/**
 * Commits that the last bytes are about to be sent, and the server's responses for each recipient so far. Returns false if the message was
 * edited or deleted, or if another process is sending it.
 */
const beginEnding =
  ({ db }: SendDeps, { claimed }: ClaimedEmail, originalOf: (address: string) => string) =>
  (results: RecipientResult[]) =>
    transact(db, claimed.project_id, async tx => {
      const known = results.map(one => ({ ...one, address: originalOf(one.address) }))
      await markRefused(tx, known)
      const message = await lockSentMessage(tx, tx.projectId, claimed.message_id)
      const phase = claimed.phase === 'uncertain' ? 'repeated' : 'ending'
      if (!message || message.is_deleted || !(await updatePhase(tx, claimed, phase))) return false
      await recordRecipients(tx, message, known)
      return true
    })

/** In an email that is sent again, a temporary refusal does not tell whether the first one has arrived. */
const resultFor = ({ claimed }: ClaimedEmail, result: RecipientResult): RecipientResult => {
  if (claimed.phase !== 'uncertain') return result
  if (result.status === 'pending') return { ...result, code: null }
  return result.status === 'sent' ? { ...result, code: 'maybe_sent_twice' } : result
}

async function attempt(
  deps: SendDeps,
  mail: ClaimedEmail,
  session: SmtpSession,
  bytes: StoredBytes,
): Promise<AttemptOutcome> {
  const originals = new Map(addressees(mail).map(address => [toRecipient(spelledIn(mail, address)), address]))
  const originalOf = (address: string): string => originals.get(address) ?? address
  const outcome = await tryToSend({
    session,
    envelope: { from: returnPathOf(deps, mail), to: [...originals.keys()], size: bytes.size },
    content: await openBytes(deps.storages, bytes),
    commandMs: (deps.timeouts ?? usualTimeouts).commandMs,
    stopping: deps.stopping,
    onEnding: beginEnding(deps, mail, originalOf),
  })
  if (outcome.kind !== 'answered') return outcome
  const results = outcome.results.map(one => resultFor(mail, { ...one, address: originalOf(one.address) }))
  return { ...outcome, results }
}

/** Whether the server closed the connection without accepting or refusing the email. */
const isClosing = (outcome: AttemptOutcome): boolean =>
  outcome.kind === 'answered' && outcome.results.every(({ code }) => code === '421')

/** An idle connection may have been closed by its server, so a new one is tried before this counts as a failure. */
async function attemptOnAny(deps: SendDeps, mail: ClaimedEmail, bytes: StoredBytes): Promise<AttemptOutcome> {
  const used = deps.sessions.take(mail.mailbox)
  if (used) {
    const outcome = await attempt(deps, mail, used, bytes)
    deps.sessions.give(mail.mailbox, used)
    if (outcome.kind !== 'broken' && !isClosing(outcome)) return outcome
  }
  let session: SmtpSession
  try {
    session = await connectSender(deps, mail.mailbox)
  } catch (error) {
    return { kind: 'broken', error: errorOf(error) }
  }
  const outcome = await attempt(deps, mail, session, bytes)
  deps.sessions.give(mail.mailbox, session)
  return outcome
}

/** If the bytes cannot be built or read, the message fails as if the server had refused it, so that it does not block its mailbox. */
async function buildAndAttempt(deps: SendDeps, mail: ClaimedEmail): Promise<AttemptOutcome> {
  try {
    return await attemptOnAny(deps, mail, await getBytes(deps, mail.claimed, mail.mailbox, mail.row))
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    return { kind: 'build_failed', error }
  }
}

/** Why an email cannot be sent at all; null if it can. */
function reasonAgainst(row: OutgoingRow, mailbox: FetchedMailbox | null): DeliveryCode | null {
  if (row.is_deleted) return 'deleted'
  if (!mailbox) return 'mailbox_removed'
  return mailbox.sending === 'none' ? 'no_mailbox' : null
}

/** Whether the email still has to be sent, after a look at what an earlier attempt has left. */
async function isToBeSent(deps: SendDeps, mail: ClaimedEmail): Promise<boolean> {
  const { phase } = mail.claimed
  // A delivery report may arrive before the server's response, or before the next attempt.
  if (addressees(mail).length === 0) await resolveUncertain(deps, mail, null, false)
  else if (phase === 'waiting') return true
  else if (phase === 'ending') await postponeUncertain(deps, mail, true)
  else if (phase === 'repeated') await resolveUncertain(deps, mail, 'outcome_unknown', true)
  else if (await findInSent(deps, mail)) await resolveUncertain(deps, mail, null, false)
  else return true
  return false
}

export async function sendEmail(deps: SendDeps, claimed: ClaimedMessage): Promise<void> {
  const { project_id, message_id, account_id } = claimed
  const row = await findOutgoing(deps.db, project_id, message_id)
  const mailbox = await findFetchedMailbox(deps.db, project_id, account_id)
  const rows = [...(await listRecipientRows(deps.db, project_id, message_id))]
  const reason = row ? reasonAgainst(row, mailbox) : 'deleted'
  if (!row || !mailbox || reason)
    return void (await cancelEmail(deps, { claimed, rows }, reason ?? 'mailbox_removed'))
  const mail: ClaimedEmail = { claimed, row, mailbox, rows }
  if (!(await isToBeSent(deps, mail))) return
  await recordOutcome(deps, mail, await buildAndAttempt(deps, mail))
}
