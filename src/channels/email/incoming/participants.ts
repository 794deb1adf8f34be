import type { Sql } from '../../../core/db/db.ts'
import type { Caller } from '../../../core/endpoint.ts'
import { ApiError, refuse } from '../../../core/errors.ts'
import { type DbOrTx, transact } from '../../../events/transaction.ts'
import { findSurvivor, getTicketId } from '../../../messages/messages.ts'
import { getTicket } from '../../../tickets/tickets.ts'
import { listMailboxRows } from '../mailboxes/queries.ts'
import { makeAddressCheck } from '../mailboxes/recipients.ts'
import type { Participant, ParticipantsInput } from './email-schema.ts'
import {
  hasCorrespondent,
  listChangedParticipants,
  listContactAddresses,
  listCorrespondents,
  listOperatorAddresses,
  lockTicketContact,
  updateParticipant,
} from './participant-queries.ts'
import { mailboxAddresses } from './project-facts.ts'

/** Whose emails may join a ticket. */

type TicketContact = { id: string; contact_id: string }

/** Checks whether an address is one of the project's mailboxes. */
const readMailboxes = async (sql: Sql, projectId: string): Promise<(address: string) => boolean> =>
  makeAddressCheck((await listMailboxRows(sql, projectId)).flatMap(mailboxAddresses))

/** Operators may write in every ticket, so they are not listed. */
async function readProjectAddresses(sql: Sql, projectId: string): Promise<(address: string) => boolean> {
  const isMailbox = await readMailboxes(sql, projectId)
  const operators = new Set((await listOperatorAddresses(sql, projectId)).map(({ address }) => address))
  return address => operators.has(address) || isMailbox(address)
}

async function listParticipants(
  sql: Sql,
  projectId: string,
  ticket: TicketContact,
  isOwn: (address: string) => boolean,
): Promise<Participant[]> {
  const found = new Map<string, Participant>()
  for (const one of await listCorrespondents(sql, projectId, ticket.id))
    found.set(one.address, { ...one, reason: 'email' })
  for (const { address, name, is_removed } of await listChangedParticipants(sql, projectId, ticket.id))
    if (is_removed) found.set(address, { address, name, reason: 'removed' })
    else if (found.get(address)?.reason !== 'email') found.set(address, { address, name, reason: 'added' })
  for (const one of await listContactAddresses(sql, projectId, ticket.contact_id))
    found.set(one.address, { ...one, reason: 'contact' })
  const contactFirst = (one: Participant): number => (one.reason === 'contact' ? 0 : 1)
  return [...found.values()]
    .filter(({ address }) => !isOwn(address))
    .sort((one, other) => contactFirst(one) - contactFirst(other) || (one.address < other.address ? -1 : 1))
}

/** Whether emails from this address, in lower case, may join the ticket of another contact. */
export async function isParticipant(sql: Sql, projectId: string, ticketId: string, address: string) {
  const isMailbox = await readMailboxes(sql, projectId)
  if (isMailbox(address)) return false
  const changed = await listChangedParticipants(sql, projectId, ticketId)
  const own = changed.find(one => one.address === address)
  return own ? !own.is_removed : hasCorrespondent(sql, projectId, ticketId, address)
}

/** The participants of a merged ticket are those of the ticket that it was merged into. */
const survivorOf = async (sql: Sql, projectId: string, reference: string): Promise<string> =>
  (await findSurvivor(sql, projectId, await getTicketId(sql, projectId, reference)))!

export async function readParticipants(sql: Sql, projectId: string, reference: string) {
  const ticket = await getTicket(sql, projectId, await survivorOf(sql, projectId, reference))
  const isOwn = await readProjectAddresses(sql, projectId)
  return { items: await listParticipants(sql, projectId, ticket, isOwn) }
}

function requireForeign(addresses: string[], isOwn: (address: string) => boolean): void {
  const own = addresses.filter(isOwn)
  if (own.length) throw refuse('participants', 'own_address', { addresses: own })
}

/** Adds the people who are missing, and removes those who are not in the list. */
export async function changeParticipants(
  store: DbOrTx,
  caller: Caller,
  reference: string,
  { participants }: ParticipantsInput,
) {
  const projectId = caller.project.id
  await transact(store, projectId, async tx => {
    const id = await survivorOf(tx, projectId, reference)
    const contactId = await lockTicketContact(tx, projectId, id)
    if (!contactId) throw new ApiError('TICKET_NOT_FOUND')
    const isOwn = await readProjectAddresses(tx, projectId)
    const wanted = new Map(participants.map(({ address, name }) => [address.toLowerCase(), name ?? null]))
    requireForeign([...wanted.keys()], isOwn)
    const known = await listParticipants(tx, projectId, { id, contact_id: contactId }, isOwn)
    const active = new Set(known.filter(({ reason }) => reason !== 'removed').map(({ address }) => address))
    for (const { address, name, reason } of known)
      if (reason !== 'contact' && reason !== 'removed' && !wanted.has(address))
        await updateParticipant(tx, projectId, id, { address, name, is_removed: true })
    for (const [address, name] of wanted)
      if (!active.has(address))
        await updateParticipant(tx, projectId, id, { address, name, is_removed: false })
  })
  return readParticipants(store, projectId, reference)
}
