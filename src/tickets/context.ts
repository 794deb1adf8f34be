import { getContact } from '../contacts/contacts.ts'
import type { Sql } from '../core/db/db.ts'
import { listFields } from '../custom-fields/custom-fields.ts'
import { findOrganizationBrief } from '../organizations/organizations.ts'
import { getTicket } from './find.ts'
import type { TicketContext } from './inbox-schema.ts'
import { searchTickets } from './search/search.ts'

const maxTickets = 10

/** The context of a ticket: its contact, their other tickets, and the custom fields of the project. */
export async function readContext(sql: Sql, projectId: string, reference: string): Promise<TicketContext> {
  const { id, contact_id } = await getTicket(sql, projectId, reference)
  const [contact, { items }, fields] = await Promise.all([
    getContact(sql, projectId, contact_id),
    searchTickets(sql, projectId, { contact_id: [contact_id], page_size: maxTickets + 1, count: false }),
    listFields(sql, projectId),
  ])
  const { organization_id } = contact
  const organization = organization_id && (await findOrganizationBrief(sql, projectId, organization_id))
  return {
    contact,
    organization: organization || null,
    tickets: items.filter(ticket => ticket.id !== id).slice(0, maxTickets),
    custom_fields: {
      ticket: fields.filter(({ record }) => record === 'ticket'),
      contact: fields.filter(({ record }) => record === 'contact'),
    },
  }
}
