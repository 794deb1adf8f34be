import { hasFeature } from '../billing/billing.ts'
import { searchContacts } from '../contacts/contacts.ts'
import type { Db } from '../core/db/db.ts'
import { articlePath, listArticles } from '../knowledge/knowledge.ts'
import { searchOrganizations } from '../organizations/organizations.ts'
import { plainWords, searchTickets } from '../tickets/tickets.ts'
import type { SearchResults } from './schema.ts'

/** Searches tickets, contacts, organizations and articles at once. */

/** Results per kind. The lists return more. */
const page = { page_size: 5, count: false }

/** A number alone is a ticket number, with or without `#`. */
const toQuestion = (q: string): string => (/^[0-9]+$/.test(q) ? `#${q}` : q)

async function findArticles(db: Db, projectId: string, q: string): Promise<SearchResults['articles']> {
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

export async function searchAll(
  db: Db,
  projectId: string,
  operatorId: string,
  text: string,
): Promise<SearchResults> {
  const q = text.trim()
  const words = plainWords(q)
  const [tickets, contacts, organizations, articles] = await Promise.all([
    searchTickets(db, projectId, { ...page, q: toQuestion(q), viewer_id: operatorId }),
    words ? searchContacts(db, projectId, { ...page, q: words }) : { items: [] },
    words ? searchOrganizations(db, projectId, { ...page, q: words }) : { items: [] },
    words ? findArticles(db, projectId, words) : [],
  ])
  return { tickets: tickets.items, contacts: contacts.items, organizations: organizations.items, articles }
}
