import type { ClaimedMessage } from '../../../outgoing/outgoing.ts'
import { insertMailIds } from '../incoming/mail-queries.ts'
import type { MailboxFailure } from '../mailboxes/failure.ts'
import type { FetchedMailbox } from '../mailboxes/mailbox.ts'
import { describeSmtpFailure } from '../mailboxes/smtp-failure.ts'
import type { AttemptOutcome } from './attempt.ts'
import type { BuildError } from './build-error.ts'
import {
  deleteBuiltEmail,
  type OutgoingRow,
  type RecipientResult,
  type RecipientRow,
} from './outgoing-queries.ts'
import { isInFlight, nextAttempt, recordSettlement, uncertainPause, usualPauses } from './record.ts'
import type { SendDeps } from './send-deps.ts'
import { updateSendFailed, updateSendOk } from './sending-queries.ts'
import { keepsSentCopies } from './sent-copies.ts'
import type { DeliveryCode, Mark } from './sent-delivery.ts'
import { faultPlaceOf } from './smtp-place.ts'

/** What the outcome of an attempt means for an email and its mailbox. */

/** An email that this process has claimed. */
export interface ClaimedEmail {
  claimed: ClaimedMessage
  row: OutgoingRow
  mailbox: FetchedMailbox
  rows: RecipientRow[]
}

/** Problems of the connection, which may last longer for one email than for another. All others are those of the mailbox alone. */
const countedFaults: string[] = [
  'unreachable',
  'no_greeting',
  'econnrefused',
  'enotfound',
  'eai_again',
  'server',
] satisfies DeliveryCode[]

const withoutBrackets = (id: string): string => id.replace(/^<|>$/g, '')

export const messageIdOf = ({ row }: ClaimedEmail): string => row.email?.message_id ?? ''

/** Results for those who may have the email, if there are any. */
const marked = (
  { claimed, rows }: Pick<ClaimedEmail, 'claimed' | 'rows'>,
  code: Mark | null,
): RecipientResult[] =>
  claimed.phase === 'waiting'
    ? []
    : rows.filter(isInFlight).map(({ address }) => ({ address, status: 'sent', code, words: null }))

export const cancelEmail = (
  { db }: SendDeps,
  mail: Pick<ClaimedEmail, 'claimed' | 'rows'>,
  reason: DeliveryCode,
) =>
  recordSettlement(db, mail.claimed, {
    ...{ results: marked(mail, 'outcome_unknown'), isAttempt: false, next: null, reason },
  })

/** The answer was lost. The email is looked for in the Sent folder later, and sent once more if it is not there. */
export const postponeUncertain = (
  { db, uncertainMs = uncertainPause }: SendDeps,
  { claimed }: ClaimedEmail,
  isAttempt: boolean,
) =>
  recordSettlement(db, claimed, {
    ...{ results: [], isAttempt, reason: '' },
    next: { waitMs: uncertainMs, phase: 'uncertain' },
  })

/** Ends the uncertainty. Recipients who were refused for the time being are tried again. */
export const resolveUncertain = (
  { db, pauses = usualPauses }: SendDeps,
  mail: ClaimedEmail,
  code: Mark | null,
  isAttempt: boolean,
) =>
  recordSettlement(db, mail.claimed, {
    ...{ results: marked(mail, code), isAttempt, reason: '' },
    next: nextAttempt({ ...mail.claimed, phase: 'waiting' }, pauses),
  })

const isCounted = ({ code }: MailboxFailure): boolean => countedFaults.includes(code)

async function recordBroken(deps: SendDeps, mail: ClaimedEmail, error: Error): Promise<void> {
  const { db, log, pauses = usualPauses } = deps
  const { claimed, mailbox } = mail
  const failure = describeSmtpFailure(error, faultPlaceOf(deps, mailbox))
  log.warn({ err: error, mailbox: mailbox.address, code: failure.code }, 'Could not send from a mailbox')
  deps.onBroken(mailbox)
  await updateSendFailed(db, mailbox, { code: failure.code, values: failure.values })
  const isAttempt = isCounted(failure)
  const next = isAttempt ? nextAttempt(claimed, pauses) : { waitMs: 0, phase: claimed.phase }
  await recordSettlement(db, claimed, {
    ...{ results: next ? [] : marked(mail, 'outcome_unknown'), isAttempt, reason: failure.code, next },
  })
}

/** Deletes the bytes, if there are any, so that the next attempt builds them again. */
async function recordBuildFailure(
  { db, log, pauses = usualPauses }: SendDeps,
  mail: ClaimedEmail,
  error: BuildError,
): Promise<void> {
  const { claimed } = mail
  log.warn({ err: error, message: claimed.message_id }, 'Could not build an email')
  const next = nextAttempt(claimed, pauses)
  await recordSettlement(db, claimed, {
    ...{ results: next ? [] : marked(mail, 'outcome_unknown'), isAttempt: true, reason: error.code, next },
    also: tx => deleteBuiltEmail(tx, claimed.message_id),
  })
}

async function recordAnswer(
  deps: SendDeps,
  mail: ClaimedEmail,
  { results, serverMessageId }: Extract<AttemptOutcome, { kind: 'answered' }>,
): Promise<void> {
  const { db, pauses = usualPauses } = deps
  const { claimed, mailbox } = mail
  const isSent = results.some(({ status }) => status === 'sent')
  const next = nextAttempt({ ...claimed, phase: isSent ? 'waiting' : claimed.phase }, pauses)
  const unknown = next || isSent ? [] : marked(mail, 'outcome_unknown')
  const hasCopy = keepsSentCopies(mailbox)
  const settled = await recordSettlement(db, claimed, {
    ...{ results: [...results, ...unknown], isAttempt: true, reason: '', next, hasCopy },
    also: async tx => {
      if (isSent && serverMessageId)
        await insertMailIds(tx, tx.projectId, claimed.message_id, [withoutBrackets(serverMessageId)])
    },
  })
  deps.onWorking(mailbox)
  if (!settled) return
  await updateSendOk(db, mailbox)
  if (isSent && hasCopy) deps.saveCopy({ ...claimed, mailbox_id: claimed.account_id })
}

export async function recordOutcome(
  deps: SendDeps,
  mail: ClaimedEmail,
  outcome: AttemptOutcome,
): Promise<void> {
  if (outcome.kind === 'answered') return recordAnswer(deps, mail, outcome)
  if (outcome.kind === 'broken') return recordBroken(deps, mail, outcome.error)
  if (outcome.kind === 'build_failed') return recordBuildFailure(deps, mail, outcome.error)
  if (outcome.kind === 'uncertain') {
    deps.log.warn({ message: mail.claimed.message_id }, `The answer to an email was lost: ${outcome.reason}`)
    if (mail.claimed.phase === 'uncertain') await resolveUncertain(deps, mail, 'outcome_unknown', true)
    else await postponeUncertain(deps, mail, true)
    return
  }
  const next = { waitMs: 0, phase: mail.claimed.phase }
  await recordSettlement(deps.db, mail.claimed, { results: [], isAttempt: false, next, reason: '' })
}
