import type { Db } from '../../core/db/db.ts'
import { listArticles } from '../../knowledge/knowledge.ts'
import { loadTree } from '../category-tree.ts'
import { html } from '../html.ts'
import { articleLinks, section, topics } from '../lists.ts'
import { type HelpPage, homeOf, localesOf, pathIn, type Visit } from '../page.ts'

const shown = 6

export async function showHome(db: Db, visit: Visit): Promise<HelpPage> {
  const { centre, locale } = visit
  const { texts } = visit.wording
  const list = (sort: '-views_count' | '-updated_at') =>
    listArticles(db, centre.id, { locale, sort, page_size: shown, count: false })
  const [tree, popular, recent] = await Promise.all([
    loadTree(db, centre.id, locale),
    list('-views_count'),
    list('-updated_at'),
  ])
  const body = recent.items.length
    ? html`${topics(visit, tree)}
<div class="columns">${section(texts.popular, articleLinks(visit, popular.items), 'popular')}
${section(texts.recent, articleLinks(visit, recent.items), 'recent')}</div>
<p><a href="${pathIn(visit, locale, ['articles'])}">${texts.all}</a></p>`
    : html`<p class="lead">${texts.emptyHome}</p>`
  return {
    title: `${centre.name} · ${texts.helpCentre}`,
    description: texts.question,
    place: [],
    locales: localesOf(centre),
    isHome: true,
    facts: [siteFacts(visit)],
    body,
  }
}

const siteFacts = (visit: Visit): object => ({
  '@context': 'https://schema.org',
  '@type': 'WebSite',
  name: `${visit.centre.name} · ${visit.wording.texts.helpCentre}`,
  url: visit.publicUrl + homeOf(visit),
  inLanguage: visit.locale,
  potentialAction: {
    '@type': 'SearchAction',
    target: `${visit.publicUrl}${pathIn(visit, visit.locale, ['search'])}?q={query}`,
    'query-input': 'required name=query',
  },
})
