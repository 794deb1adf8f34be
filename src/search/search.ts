import { hasFeature } from '../billing/billing.ts'
import { searchContacts } from '../contacts/contacts.ts'
import type { Db } from '../core/db.ts'
import { articlePath, listArticles } from '../knowledge/knowledge.ts'
import { findTicketId } from '../messages/messages.ts'
import type { Ticket } from '../tickets/schema.ts'
import { getTicket, searchTickets } from '../tickets/tickets.ts'
import type { Found } from './schema.ts'

/** One question to everything that a project has written down. */

/** Of each kind: more is what the lists are for. */
const page = { page_size: 5, count: false }

async function findNumbered(db: Db, projectId: string, q: string): Promise<Ticket[]> {
  const number = /^#?([0-9]+)$/.exec(q)?.[1]
  const id = number && (await findTicketId(db, projectId, number))
  return id ? [await getTicket(db, projectId, id)] : []
}

/** The ticket of this number before all others. */
async function findTickets(db: Db, projectId: string, q: string): Promise<Ticket[]> {
  const [numbered, { items }] = await Promise.all([
    findNumbered(db, projectId, q),
    searchTickets(db, projectId, { ...page, q }),
  ])
  return [...numbered, ...items.filter(({ id }) => id !== numbered[0]?.id)].slice(0, page.page_size)
}

async function findArticles(db: Db, projectId: string, q: string): Promise<Found['articles']> {
  if (!(await hasFeature(db, projectId, 'knowledge_base'))) return []
  const { items } = await listArticles(db, projectId, { ...page, q })
  return items.map(({ id, slug, locale, title, excerpt, help_slug, highlight }) => ({
    id,
    slug,
    locale,
    title,
    excerpt,
    path: help_slug === null ? null : articlePath(help_slug, locale, slug),
    ...(highlight && { highlight }),
  }))
}

export async function searchAll(db: Db, projectId: string, text: string): Promise<Found> {
  const q = text.trim()
  const [tickets, contacts, articles] = await Promise.all([
    findTickets(db, projectId, q),
    searchContacts(db, projectId, { ...page, q }),
    findArticles(db, projectId, q),
  ])
  return { tickets, contacts: contacts.items, articles }
}
