import type { Fragment, Sql } from '../../../core/db/db.ts'
import type { CandidateTicket, Match } from '../../../mail/choose-ticket.ts'
import type { Evidence } from '../../../mail/evidence.ts'
import { readSubject } from '../../../mail/subject.ts'
import { readOwnId } from '../../../mail/tokens.ts'
import { findSurvivor } from '../../../messages/messages.ts'
import { findMailIds } from './mail-queries.ts'
import { hasCorrespondent } from './participant-queries.ts'
import { isParticipant } from './participants.ts'

/** Finds the tickets that an email may belong to, from the evidence in it. */

export interface MatchingSender {
  /** In lowercase. */
  address: string
  /** The contact with this address; null if there is none yet. */
  contactId: string | null
  isOperator: boolean
}

interface Search {
  sql: Sql
  projectId: string
  mailboxId: string
  key: Buffer
  sender: MatchingSender
}

interface TicketState {
  id: string
  subject: string
  contact_id: string
  closed_days: number
  is_closed: boolean
  quiet_days: number
}

const state = (sql: Sql): Fragment =>
  sql`
  t.id, t.subject, t.contact_id, t.status = 'closed' as is_closed,
  coalesce(extract(epoch from now() - t.closed_at) / 86400, 0)::float as closed_days,
  coalesce(extract(epoch from now() - a.last_message_at) / 86400, 0)::float as quiet_days`

async function findState(sql: Sql, projectId: string, id: string): Promise<TicketState | null> {
  const [row] = await sql<TicketState[]>`
    select ${state(sql)} from tickets t
    join ticket_activity a on a.project_id = ${projectId} and a.ticket_id = t.id
    where t.project_id = ${projectId} and t.id = ${id}`
  return row ?? null
}

/** The contact's open tickets in this mailbox. */
const listOpen = ({ sql, projectId, mailboxId }: Search, contactId: string) => sql<
  { id: string; subject: string }[]
>`
  select t.id, t.subject from tickets t
  where t.project_id = ${projectId} and t.contact_id = ${contactId} and t.status <> 'closed' and t.channel = 'email'
    and exists (select from messages m where m.project_id = ${projectId} and m.ticket_id = t.id
      and m.email->>'mailbox_id' = ${mailboxId})
  limit 20`

async function findByNumber({ sql, projectId }: Search, number: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from tickets where project_id = ${projectId} and number = ${number}`
  return row?.id ?? null
}

async function findBySubject(search: Search, base: string): Promise<string | null> {
  const { contactId } = search.sender
  if (contactId === null) return null
  const open = await listOpen(search, contactId)
  return open.find(({ subject }) => readSubject(subject).base === base)?.id ?? null
}

/** A ticket to which a piece of evidence leads. */
interface EvidenceTicket {
  id: string
  /** Whether the evidence leads to an internal note of the ticket. */
  isInternal: boolean
  /** Whether the evidence contains one of our tokens, which only recipients of our emails have. */
  isOurs?: boolean
}

async function findMessageTicket({ sql, projectId }: Search, id: string): Promise<EvidenceTicket[]> {
  const rows = await sql<{ ticket_id: string; is_internal: boolean }[]>`
    select ticket_id, is_internal from messages where project_id = ${projectId} and id = ${id}`
  return rows.map(row => ({ id: row.ticket_id, isInternal: row.is_internal, isOurs: true }))
}

/** A token contains the ID of a ticket, or the ID of the note that forwarded a message. */
async function findByToken(search: Search, id: string): Promise<EvidenceTicket[]> {
  const noted = await findMessageTicket(search, id)
  return noted.length > 0 ? noted.filter(one => one.isInternal) : [{ id, isInternal: false }]
}

/** The ticket that is encoded in a Message-ID of our own. */
async function findByOwnId(search: Search, id: string): Promise<EvidenceTicket[]> {
  const own = readOwnId(search.key, id)
  if (!own) return []
  return own.kind === 'ticket' ? findByToken(search, own.id) : findMessageTicket(search, own.id)
}

const isMailId = ({ reason }: Evidence): boolean =>
  ['in_reply_to', 'references', 'thread_index'].includes(reason)

/** Looks up the tickets for all of an email's IDs in one query, because References may list a thousand. */
async function findByMailIds({ sql, projectId }: Search, evidence: Evidence[]) {
  const ids = evidence.filter(isMailId).map(one => one.value)
  return Map.groupBy(await findMailIds(sql, projectId, ids), one => one.mail_id)
}

type KnownIds = Awaited<ReturnType<typeof findByMailIds>>

const listOf = async (found: Promise<string | null>): Promise<EvidenceTicket[]> => {
  const id = await found
  return id ? [{ id, isInternal: false }] : []
}

/** An ID can lead to several tickets: all emails of an Outlook conversation have the same Thread-Index. */
async function listEvidenceTickets(
  search: Search,
  { reason, value }: Evidence,
  known: KnownIds,
): Promise<EvidenceTicket[]> {
  if (reason === 'reply_token') return findByToken(search, value)
  if (reason === 'ticket_number') return listOf(findByNumber(search, value))
  if (reason === 'subject') return listOf(findBySubject(search, value))
  const found = known.get(value)
  return found
    ? found.map(one => ({ id: one.ticket_id, isInternal: one.is_internal }))
    : findByOwnId(search, value)
}

async function senderOf({ sql, projectId, sender }: Search, ticket: TicketState) {
  if (sender.contactId === ticket.contact_id) return 'contact'
  if (sender.isOperator) return 'operator'
  return (await isParticipant(sql, projectId, ticket.id, sender.address)) ? 'participant' : 'stranger'
}

async function describe(search: Search, id: string): Promise<CandidateTicket | null> {
  const { sql, projectId } = search
  const survivor = await findSurvivor(sql, projectId, id)
  const ticket = survivor && (await findState(sql, projectId, survivor))
  if (!ticket) return null
  const open = await listOpen(search, ticket.contact_id)
  return {
    id: ticket.id,
    isClosed: ticket.is_closed,
    closedDays: ticket.closed_days,
    quietDays: ticket.quiet_days,
    baseSubject: readSubject(ticket.subject).base,
    sender: await senderOf(search, ticket),
    isOnlyOpen: open.length === 1 && open[0]!.id === ticket.id,
  }
}

/** Anyone who received an email of a forwarded conversation may write in it, because they are sent nothing else from the ticket. */
async function describeOutsider(
  { sql, projectId, sender: { address } }: Search,
  ticket: CandidateTicket,
  { isOurs = false }: EvidenceTicket,
): Promise<CandidateTicket> {
  if (ticket.sender === 'contact' || ticket.sender === 'operator') return ticket
  const isKnown = isOurs || (await hasCorrespondent(sql, projectId, ticket.id, address, true))
  return { ...ticket, sender: isKnown ? 'outsider' : 'stranger' }
}

/** Strangers can copy an ID, and make the sender a participant in their own ticket by Cc. */
const ownFirst = ({ ticket: one }: Match, { ticket: other }: Match): number =>
  Number(other.sender === 'contact') - Number(one.sender === 'contact')

/** The maximum number of candidate tickets. */
const maxTickets = 20

/** The evidence that leads to tickets of the project, strongest first. */
export async function findMatches(search: Search, evidence: Evidence[]): Promise<Match[]> {
  const byMailId = await findByMailIds(search, evidence)
  const known = new Map<string, CandidateTicket | null>()
  const matches: Match[] = []
  for (const one of evidence) {
    const found: Match[] = []
    for (const pointed of await listEvidenceTickets(search, one, byMailId)) {
      const { id, isInternal } = pointed
      if (known.size >= maxTickets && !known.has(id)) continue
      if (!known.has(id)) known.set(id, await describe(search, id))
      const ticket = known.get(id)
      if (!ticket) continue
      const described = isInternal ? await describeOutsider(search, ticket, pointed) : ticket
      found.push({ ...one, ticket: described, isInternal })
    }
    matches.push(...found.sort(ownFirst))
  }
  return matches
}
