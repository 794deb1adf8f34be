import type { Db } from '../core/db/db.ts'
import { isoOf } from '../core/time.ts'
import { listAddresses } from '../knowledge/knowledge.ts'
import { loadTree } from './category-tree.ts'
import { type Html, html } from './html.ts'
import { articleAt, categoryAt, homeOf, localesOf, type Visit } from './page.ts'

/** Sitemaps: one for each language, with fewer than the allowed 50,000 pages, and an index of them. */

const declaration = html`<?xml version="1.0" encoding="UTF-8"?>\n`
const space = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const entry = (address: string, changed?: string): Html =>
  html`<url><loc>${address}</loc>${changed && html`<lastmod>${changed}</lastmod>`}</url>\n`

export const sitemapIndex = (visit: Visit): string => {
  const maps = localesOf(visit.centre).map(
    locale => `${visit.publicUrl}${homeOf({ ...visit, locale })}/sitemap.xml`,
  )
  return html`${declaration}<sitemapindex xmlns="${space}">
${maps.map(address => html`<sitemap><loc>${address}</loc></sitemap>\n`)}</sitemapindex>
`.text
}

export async function sitemapOf(db: Db, visit: Visit): Promise<string> {
  const { centre, locale, publicUrl } = visit
  const [tree, articles] = await Promise.all([
    loadTree(db, centre.id, locale),
    listAddresses(db, centre.id, locale),
  ])
  const categories = tree.all().map(one => entry(publicUrl + categoryAt(visit, one.slug)))
  const pages = articles.map(one => entry(publicUrl + articleAt(visit, one.slug), isoOf(one.updated_at)))
  return html`${declaration}<urlset xmlns="${space}">
${entry(publicUrl + homeOf(visit))}${categories}${pages}</urlset>
`.text
}

/** Does not list the sitemaps, because that would reveal the projects of the server. */
export const robots = `User-agent: *
Disallow: /api/
Disallow: /help/*/search
`
