import { insertMergedNotice, mergeContacts } from '../../contacts/contacts.ts'
import { anyId } from '../../core/db/db.ts'
import type { ChangedBy } from '../../events/ticket-history.ts'
import type { Tx } from '../../events/transaction.ts'
import { updateTicket } from '../../tickets/tickets.ts'
import { externalIdOf } from './records.ts'
import { isDivided, type Visitor } from './visitor.ts'

/** Moves what an anonymous visitor wrote to the contact that the visitor is identified as. */

const byContact = (id: string): ChangedBy => ({ type: 'contact', id, name: null })

/** Whether the visitor's contact has no identity and was created by this browser only. */
async function isAnonymous(tx: Tx, { id, contact_id }: Visitor): Promise<boolean> {
  const { count } = await tx`
    select from contacts c where c.project_id = ${tx.projectId} and c.id = ${contact_id} and c.source = 'widget'
      and not exists (select from contact_identities i
        where i.project_id = ${tx.projectId} and i.contact_id = c.id)
      and not exists (select from visitors v
        where v.project_id = ${tx.projectId} and v.contact_id = c.id and v.id <> ${id})`
  return count > 0
}

/** Moves only the tickets that this browser started, because the contact's other tickets may belong to another person. */
async function moveOwnTickets(tx: Tx, visitorId: string, contactId: string): Promise<void> {
  const tickets = await tx<{ id: string; contact_id: string }[]>`
    select t.id, t.contact_id from tickets t join widget_tickets w on w.project_id = t.project_id and w.ticket_id = t.id
    where t.project_id = ${tx.projectId} and w.visitor_id = ${visitorId} and not ${isDivided(tx, tx.projectId)}
      and t.contact_id <> ${contactId}
    order by t.id for no key update of t`
  for (const { id, contact_id } of tickets) {
    const written = await tx<{ id: string }[]>`
      update messages set sender_id = ${contactId}, version = version + 1
      where project_id = ${tx.projectId} and ticket_id = ${id} and sender_type = 'contact' and sender_id = ${contact_id}
      returning id`
    tx.touch('message', ...written.map(message => message.id))
    await updateTicket(tx, byContact(contactId), id, { contact_id: contactId })
    const details = { cause: 'contact_merged', contact_id: contactId, previous_contact_id: contact_id }
    tx.emit({ type: 'ticket.updated', data: { ticket_id: id, ...details } })
  }
}

export async function moveHistoryToContact(tx: Tx, visitor: Visitor, contactId: string): Promise<void> {
  if (visitor.contact_id === null || visitor.contact_id === contactId) return
  if (await isAnonymous(tx, visitor))
    await mergeContacts(tx, tx.projectId, visitor.contact_id, contactId, byContact(contactId))
  await moveOwnTickets(tx, visitor.id, contactId)
  await insertMergedNotice(tx, tx.projectId, visitor.contact_id, contactId)
}

/** Once a visitor is proved to be a contact, the tickets that this browser started for the contact count as proved too. */
export async function verifyHistory(tx: Tx, visitorId: string, contactId: string): Promise<void> {
  const { projectId } = tx
  const tickets = await tx<{ id: string }[]>`
    select t.id from tickets t join widget_tickets w on w.project_id = t.project_id and w.ticket_id = t.id
    where t.project_id = ${projectId} and w.visitor_id = ${visitorId} and not ${isDivided(tx, tx.projectId)}
      and t.contact_id = ${contactId} and t.contact_identity is distinct from 'proved'
    order by t.id for no key update of t`
  const ids = tickets.map(({ id }) => id)
  if (ids.length === 0) return
  for (const id of ids) await updateTicket(tx, byContact(contactId), id, { contact_identity: 'proved' })
  const written = await tx<{ id: string }[]>`
    update messages set contact_identity = 'proved', version = version + 1
    where project_id = ${projectId} and ticket_id = ${anyId(tx, ids)} and sender_type = 'contact'
      and starts_with(external_id, ${externalIdOf(visitorId, '')}) returning id`
  tx.touch('message', ...written.map(({ id }) => id))
}
