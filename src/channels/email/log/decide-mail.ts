import { recordAudit } from '../../../audit/audit.ts'
import type { Db } from '../../../core/db/db.ts'
import type { Caller } from '../../../core/endpoint.ts'
import { BriefError, refuse } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { parseAddress } from '../../../mail/sender.ts'
import { findSurvivor, findTicketId } from '../../../messages/messages.ts'
import { moveMessage, splitMessage } from '../../../tickets/tickets.ts'
import type { AccountCaller } from '../../accounts/account-rules.ts'
import type { MailDecision } from '../incoming/decision.ts'
import { notifyStoredMail } from '../incoming/stored-notifier.ts'
import { type DecidedMail, lockDecidedMail, updateMailDecided, updateMailReread } from './decision-queries.ts'
import { getLoggedMail } from './mail-log.ts'
import type { LoggedMailDetails } from './mail-log-schema.ts'

/** People decide what happens to received emails. The decision is stored, and the email is handled like any other. */

const actions = { reparse: 'mail.reparsed', ticket: 'mail.made_ticket', move: 'mail.moved' } as const

type Wanted = Pick<MailDecision, 'kind' | 'ticket_id'>

/** Whether an earlier request made the same decision, and the email has not been handled since. */
const isWaiting = ({ state, decision }: DecidedMail, wanted: Wanted): boolean =>
  state === 'stored' &&
  (wanted.kind === 'reparse' || (decision?.kind === wanted.kind && decision.ticket_id === wanted.ticket_id))

function requireUndecided({ state, message_id, ticket_id }: DecidedMail): void {
  if (state === 'stored') throw refuse('mail_id', 'being_handled')
  if (message_id && !ticket_id) throw refuse('mail_id', 'message_deleted')
}

function authorOf({ actor }: AccountCaller): MailDecision['by'] {
  if (actor.type === 'operator') return { type: 'operator', id: actor.id, name: actor.name }
  return actor.type === 'api'
    ? { type: 'api', id: actor.id, name: null }
    : { type: 'cli', id: null, name: null }
}

/** Moves the message of an email. Returns false if it is already where it should be. */
async function moveMessageOf(tx: Tx, caller: Caller, mail: DecidedMail, wanted: Wanted): Promise<boolean> {
  const isThere = wanted.ticket_id ? mail.ticket_id === wanted.ticket_id : mail.is_first
  if (isThere) return false
  if (wanted.ticket_id) await moveMessage(tx, caller, mail.message_id!, wanted.ticket_id)
  else await splitMessage(tx, caller, mail.message_id!, {})
  return true
}

/** Has the email handled again. */
async function queueAgain(tx: Tx, caller: AccountCaller, id: string, mail: DecidedMail, wanted: Wanted) {
  if (!mail.storage_key) throw refuse('mail_id', 'not_stored')
  const isAnonymous = mail.outcome === 'no_sender' && !parseAddress(mail.envelope_from ?? '')
  if (isAnonymous && wanted.kind !== 'reparse') throw refuse('mail_id', 'no_sender')
  const decision = { ...wanted, by: authorOf(caller), attempts: mail.attempts }
  if (mail.message_id) await updateMailReread(tx, tx.projectId, id, decision)
  else await updateMailDecided(tx, tx.projectId, id, decision)
  tx.noteDue('mails')
  tx.afterCommit(() => notifyStoredMail(tx.projectId))
}

async function decide(tx: Tx, caller: Caller | AccountCaller, id: string, wanted: Wanted): Promise<void> {
  const mail = isId(id) ? await lockDecidedMail(tx, tx.projectId, id) : null
  if (!mail) throw new BriefError('mail_not_found')
  if (isWaiting(mail, wanted)) return
  requireUndecided(mail)
  if (!mail.message_id || wanted.kind === 'reparse') await queueAgain(tx, caller, id, mail, wanted)
  else if (!(await moveMessageOf(tx, caller as Caller, mail, wanted))) return
  const target = { type: 'mail', id, name: mail.subject }
  const detail = wanted.ticket_id ? { ticket_id: wanted.ticket_id } : {}
  await recordAudit(tx, tx.projectId, caller.actor, actions[wanted.kind], target, detail)
}

async function decideMail(
  db: Db,
  caller: Caller | AccountCaller,
  id: string,
  wanted: Wanted,
): Promise<LoggedMailDetails> {
  const projectId = caller.project.id
  await transact(db, projectId, tx => decide(tx, caller, id, wanted))
  return getLoggedMail(db, projectId, id)
}

/** Handles the email again with the current rules. If it is a message, only what the message shows is replaced. */
export const reparseMail = (db: Db, caller: AccountCaller, id: string): Promise<LoggedMailDetails> =>
  decideMail(db, caller, id, { kind: 'reparse', ticket_id: null })

/** Makes the email a new ticket of its sender. A message that did not begin its ticket is moved to a ticket of its own. */
export const makeMailTicket = (db: Db, caller: Caller, id: string): Promise<LoggedMailDetails> =>
  decideMail(db, caller, id, { kind: 'ticket', ticket_id: null })

/** Makes the email a message of this ticket, or of the one into which it was merged. */
export async function moveMail(
  db: Db,
  caller: Caller,
  id: string,
  reference: string,
): Promise<LoggedMailDetails> {
  const projectId = caller.project.id
  await getLoggedMail(db, projectId, id)
  const found = await findTicketId(db, projectId, reference)
  const ticketId = found && (await findSurvivor(db, projectId, found))
  if (!ticketId) throw refuse('ticket_id', 'not_found')
  return decideMail(db, caller, id, { kind: 'move', ticket_id: ticketId })
}
