import type { Db } from '../../core/db/db.ts'
import { countIn, fillPlaceholders } from '../../core/text/texts.ts'
import { listArticles } from '../../knowledge/knowledge.ts'
import { loadTree } from '../category-tree.ts'
import { showContact } from '../contact.ts'
import { type Html, html, trusted } from '../html.ts'
import { renderPageLinks, summaries, topics } from '../lists.ts'
import { type HelpPage, localesOf, pathIn, type Visit } from '../page.ts'

export const foundOnPage = 20

/** The results with marked words, or the topics if there are none. */
export async function showSearch(db: Db, visit: Visit, query: string, page: number): Promise<HelpPage> {
  const { texts } = visit.wording
  const found = query === '' ? null : await find(db, visit, query, page)
  const title = query === '' ? texts.searchTitle : fillPlaceholders(texts.searchFor, { query })
  const tree = found ? null : await loadTree(db, visit.centre.id, visit.locale)
  const hasNothing = !found && query !== ''
  const contact = hasNothing ? await showContact(db, visit) : null
  return {
    title,
    place: ['search'],
    locales: localesOf(visit.centre),
    isIndexed: false,
    query,
    body: html`<div class="narrow"><h1>${title}</h1>
${found}${hasNothing && html`<p><strong>${texts.noResults}</strong> ${texts.noResultsHint}</p>`}${contact}</div>
${tree && topics(visit, tree)}`,
  }
}

async function find(db: Db, visit: Visit, q: string, page: number): Promise<Html | null> {
  const { centre, locale, wording } = visit
  const listed = await listArticles(db, centre.id, { locale, q, page, page_size: foundOnPage })
  if (!listed.items.length) return null
  const found = listed.items.map(({ highlight, ...one }) => ({
    ...one,
    title: trusted(highlight!.title),
    text: trusted(highlight!.content),
  }))
  const at = (number: number) =>
    `${pathIn(visit, locale, ['search'])}?${new URLSearchParams({ q, page: String(number) })}`
  return html`<p class="muted" role="status">${countIn(wording, wording.texts.results, listed.total!)}</p>
${summaries(visit, found)}
${renderPageLinks(visit, { page, pages: listed.pages!, at })}`
}
