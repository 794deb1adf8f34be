import { recordAudit } from '../../../audit/audit.ts'
import type { Db } from '../../../core/db.ts'
import { BriefError, refuse } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { type Tx, transact } from '../../../events/transaction.ts'
import { findSurvivor, findTicketId } from '../../../messages/messages.ts'
import type { MailDecision } from '../incoming/decision.ts'
import { notifyStoredMail } from '../incoming/stored-notifier.ts'
import type { MailboxCaller } from '../mailboxes/mailboxes.ts'
import { type DecidedMail, lockDecidedMail, updateMailDecided } from './decision-queries.ts'
import { getLoggedMail } from './mail-log.ts'
import type { LoggedMailDetails } from './mail-log-schema.ts'

/** People decide what happens to received emails. The decision is stored, and the email is handled like any other. */

const actions = { reparse: 'mail.reparsed', ticket: 'mail.made_ticket', move: 'mail.moved' } as const

type Wanted = Pick<MailDecision, 'kind' | 'ticket_id'>

/** Whether an earlier request decided the same, and the email is or becomes what was wanted. */
function isDecided({ state, decision, message_id, ticket_id }: DecidedMail, wanted: Wanted): boolean {
  if (wanted.kind === 'reparse') return state === 'stored'
  if (wanted.kind === 'move' && message_id) return ticket_id === wanted.ticket_id
  const isSame = decision?.kind === wanted.kind && decision.ticket_id === wanted.ticket_id
  return isSame && (state === 'stored' || message_id !== null)
}

function requireUndecided({ state, message_id, storage_key }: DecidedMail): void {
  if (state === 'stored') throw refuse('mail_id', 'being_handled')
  if (message_id) throw refuse('mail_id', 'has_message', { message_id })
  if (!storage_key) throw refuse('mail_id', 'not_stored')
}

function authorOf({ actor }: MailboxCaller): MailDecision['by'] {
  if (actor.type === 'operator') return { type: 'operator', id: actor.id, name: actor.name }
  return actor.type === 'api'
    ? { type: 'api', id: actor.id, name: null }
    : { type: 'cli', id: null, name: null }
}

/** Returns whether the email is handled again. */
async function decide(tx: Tx, caller: MailboxCaller, id: string, wanted: Wanted): Promise<boolean> {
  const mail = isId(id) ? await lockDecidedMail(tx, tx.projectId, id) : null
  if (!mail) throw new BriefError('mail_not_found')
  if (isDecided(mail, wanted)) return false
  requireUndecided(mail)
  const decision = { ...wanted, by: authorOf(caller), attempts: mail.attempts }
  await updateMailDecided(tx, tx.projectId, id, decision)
  tx.noteDue('mails')
  const target = { type: 'mail', id, name: mail.subject }
  const detail = wanted.ticket_id ? { ticket_id: wanted.ticket_id } : {}
  await recordAudit(tx, tx.projectId, caller.actor, actions[wanted.kind], target, detail)
  return true
}

async function decideMail(
  db: Db,
  caller: MailboxCaller,
  id: string,
  wanted: Wanted,
): Promise<LoggedMailDetails> {
  const projectId = caller.project.id
  if (await transact(db, projectId, tx => decide(tx, caller, id, wanted))) notifyStoredMail(projectId)
  return getLoggedMail(db, projectId, id)
}

/** Handles the email again with the rules of today. */
export const reparseMail = (db: Db, caller: MailboxCaller, id: string): Promise<LoggedMailDetails> =>
  decideMail(db, caller, id, { kind: 'reparse', ticket_id: null })

/** Makes the email a new ticket of its sender. */
export const makeMailTicket = (db: Db, caller: MailboxCaller, id: string): Promise<LoggedMailDetails> =>
  decideMail(db, caller, id, { kind: 'ticket', ticket_id: null })

/** Makes the email a message of this ticket, or of the one into which it was merged. */
export async function moveMail(
  db: Db,
  caller: MailboxCaller,
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
