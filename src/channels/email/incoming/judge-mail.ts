import { findContactByEmail } from '../../../contacts/contacts.ts'
import type { Sql } from '../../../core/db/db.ts'
import { type Authentication, isMarkedAsSpam, type MailVerdict } from '../../../mail/authentication.ts'
import { readDeliveryReport } from '../../../mail/bounce.ts'
import { type Choice, chooseTicket } from '../../../mail/choose-ticket.ts'
import { type Classified, classify, sentHeader } from '../../../mail/classify.ts'
import { listEvidence } from '../../../mail/evidence.ts'
import { type Forwarded, readForward } from '../../../mail/forward.ts'
import type { Mail } from '../../../mail/mail.ts'
import { findWriter, hasOneAuthor, type Writer } from '../../../mail/sender.ts'
import { readSubject } from '../../../mail/subject.ts'
import { readOwnId, readReplyAddress, readReturnPath } from '../../../mail/tokens.ts'
import { findSurvivor } from '../../../messages/messages.ts'
import type { NoticeEmail } from '../notices/answer-queries.ts'
import { findAnsweredNotices } from '../notices/read-answer.ts'
import { judgeSender } from '../senders/judge-sender.ts'
import { findMatches } from './find-tickets.ts'
import type { ClaimedMail } from './incoming-queries.ts'
import {
  findOperatorByAddress,
  type MailOperator,
  mailboxAddresses,
  type ProjectFacts,
  recognise,
} from './project-facts.ts'

/** Determines an email's kind, its author and its ticket. Changes nothing. */

export interface Judged extends Classified {
  writer: Writer
  /** The operator whose address is in From. Anyone can write it there: see `isVerified`. Null for other addresses. */
  operator: MailOperator | null
  /** Whether the receiving mail server confirmed the address in From (DMARC). */
  isVerified: boolean
  /** A customer's email that an operator forwarded. */
  forwarded: Forwarded | null
  /** Whether this is an operator's reply. An operator can also be the contact of a ticket. */
  isOperatorReply: boolean
  /** The notice to an operator that this email replies to, found by its reply address; null for other emails. */
  answered: NoticeEmail | null
  choice: Choice
  /** Whether a person chose what happens to the email. */
  isDecided: boolean
  authentication: Authentication
  isSpam: boolean
  /** The pattern of the rule that blocks the sender; null if the sender is not blocked. */
  blockedBy: string | null
}

export interface JudgeDeps {
  sql: Sql
  /** For reply addresses, Message-IDs and anchors. */
  key: Buffer
}

/** For this many days after the last message, the subject alone is enough to recognise a reply. */
const subjectDays = 30

const mentionedIds = ({ headers }: Mail, reported: string[]): string[] =>
  [headers.messageId, headers.all[sentHeader]?.[0]?.replaceAll(/[<>\s]/g, ''), ...reported].flatMap(
    id => id || [],
  )

async function classifyMail(
  { sql, key }: JudgeDeps,
  { project_id: projectId, message_id }: Pick<ClaimedMail, 'project_id' | 'message_id'>,
  mail: Mail,
  facts: ProjectFacts,
) {
  const ids = mentionedIds(mail, readDeliveryReport(mail, facts.allAddresses).ids)
  return classify(mail, {
    addresses: mailboxAddresses(facts.mailbox),
    allAddresses: facts.allAddresses,
    formSenders: facts.mailbox.form_senders,
    isOwnId: await recognise(sql, projectId, ids, id => readOwnId(key, id) !== null, message_id),
    isOwnReturnPath: address => readReturnPath(key, address) !== null,
  })
}

async function choose(
  { sql, key }: JudgeDeps,
  claimed: ClaimedMail,
  mail: Mail,
  facts: ProjectFacts,
  { address, isOperator, dmarc }: { address: string; isOperator: boolean; dmarc: MailVerdict },
): Promise<{ choice: Choice; isOperatorReply: boolean }> {
  const { project_id: projectId, envelope_to: envelope } = claimed
  const readToken = (to: string) => readReplyAddress(key, to)
  const sender = { address, isOperator, contactId: await findContactByEmail(sql, projectId, address) }
  const search = { sql, projectId, mailboxId: facts.mailbox.id, key, sender }
  const matches = await findMatches(search, listEvidence(mail, { envelope, readToken }))
  const choice = chooseTicket(
    matches,
    { baseSubject: readSubject(mail.headers.subject).base, authentication: dmarc },
    { reopenDays: facts.reopenDays, subjectDays },
  )
  const { target } = choice
  const id = target.kind === 'new' ? null : target.kind === 'ticket' ? target.id : target.of
  const isOperatorReply = matches.find(({ ticket }) => ticket.id === id)?.ticket.sender === 'operator'
  return { choice, isOperatorReply }
}

/** The facts that do not depend on tickets: the email's kind and its author. */
export async function describeSender(
  deps: JudgeDeps,
  claimed: Pick<ClaimedMail, 'project_id' | 'message_id'>,
  mail: Mail,
  facts: ProjectFacts,
): Promise<Classified & Pick<Judged, 'writer'>> {
  const { mailbox, allAddresses: ownAddresses } = facts
  return {
    ...(await classifyMail(deps, claimed, mail, facts)),
    writer: findWriter(mail, { ownAddresses, formSenders: mailbox.form_senders }),
  }
}

/**
 * Finds the notice that an operator's email replies to. Its secret reply address proves who wrote the email, even if DMARC failed. After
 * the first reply others may know the address, so DMARC must not fail. If an operator writes to another operator's or an expired reply
 * address, the email is held. Emails from other people to such an address are handled as usual.
 */
async function findAnswer(
  { sql, key }: JudgeDeps,
  { project_id: projectId, envelope_to: envelope }: ClaimedMail,
  mail: Mail,
  operator: MailOperator | null,
  dmarc: MailVerdict,
): Promise<{ answered: NoticeEmail | null; ticketId: string | null; isHeld: boolean }> {
  const { isAddressed, notices } = await findAnsweredNotices(sql, key, projectId, mail, envelope)
  const mayAnswer = (one: NoticeEmail): boolean =>
    one.operator_id === operator?.id && (dmarc !== 'fail' || !one.is_answered)
  const answered = notices.find(mayAnswer) ?? null
  const ticketId = answered && (await findSurvivor(sql, projectId, answered.ticket_id))
  return { answered, ticketId, isHeld: isAddressed && operator !== null && !answered }
}

const answerChoice = (ticketId: string, dmarc: MailVerdict): Choice => ({
  target: { kind: 'ticket', id: ticketId },
  reason: 'reply_token',
  evidence: { reason: 'reply_token', value: ticketId },
  related: null,
  warnings: dmarc === 'fail' ? ['unverified'] : [],
  isInternal: false,
})

const hold = (choice: Choice): Choice => ({
  ...choice,
  warnings: [...new Set([...choice.warnings, 'operator_unverified' as const])],
})

export async function judgeMail(
  deps: JudgeDeps,
  claimed: ClaimedMail,
  mail: Mail,
  facts: ProjectFacts,
  found: Authentication,
): Promise<Judged> {
  const { project_id: projectId } = claimed
  const { mailbox, allAddresses: ownAddresses } = facts
  const described = await describeSender(deps, claimed, mail, facts)
  const { writer } = described
  // DMARC covers From only, so it says nothing about the person who filled in a contact form, or about one of several authors.
  const isUnknown = (writer.isSentByOther || !hasOneAuthor(mail.headers)) && found.dmarc === 'pass'
  const authentication = isUnknown ? { ...found, dmarc: 'none' as const } : found
  const address = writer.contact?.address.toLowerCase() ?? ''
  const operator = address ? await findOperatorByAddress(deps.sql, projectId, address) : null
  const sender = { address, isOperator: operator !== null, dmarc: authentication.dmarc }
  const { dmarc } = authentication
  const { answered, ticketId, isHeld } = await findAnswer(deps, claimed, mail, operator, dmarc)
  const { choice, isOperatorReply } = ticketId
    ? { choice: answerChoice(ticketId, dmarc), isOperatorReply: true }
    : await choose(deps, claimed, mail, facts, sender)
  const exempt = operator ? [...ownAddresses, address] : ownAddresses
  const { blockedBy, isAllowed } = await judgeSender(deps.sql, projectId, mail, { writer, exempt, dmarc })
  const mayForward = operator !== null && dmarc !== 'fail' && choice.target.kind === 'new'
  return {
    ...described,
    operator,
    isVerified: dmarc === 'pass',
    forwarded: mayForward ? readForward(mail) : null,
    isOperatorReply,
    answered,
    choice: isHeld ? hold(choice) : choice,
    isDecided: false,
    authentication,
    isSpam: mailbox.trusts_spam_headers && isMarkedAsSpam(mail.headers) && !isAllowed,
    blockedBy,
  }
}
