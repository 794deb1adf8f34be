import type { Db } from '../../core/db/db.ts'
import type { Listed } from '../../core/paging/paging.ts'
import {
  type CategoryRow,
  type FoundArticle,
  findCategory,
  findCategoryPath,
  listArticles,
} from '../../knowledge/knowledge.ts'
import { loadTree, type Tree } from '../category-tree.ts'
import { type Html, html } from '../html.ts'
import { breadcrumbs, cards, crumbFacts, crumbsOf, langOf, renderPageLinks, summaries } from '../lists.ts'
import { categoryAt, type HelpPage, localesOf, Missing, Moved, pathIn, type Visit } from '../page.ts'

export const listedOnPage = 50

/** A topic with its subtopics and its articles in order. */
export async function showCategory(db: Db, visit: Visit, slug: string, page: number): Promise<HelpPage> {
  const { centre, locale } = visit
  const tree = await loadTree(db, centre.id, locale)
  const category = tree.find(slug) ?? (await findCategory(db, centre.id, slug, locale))
  if (!category) throw new Missing(visit)
  if (category.slug !== slug) throw new Moved(categoryAt(visit, category.slug))
  const listed = await listArticles(db, centre.id, {
    ...{ locale, category_id: [category.id], sort: 'position', page, page_size: listedOnPage },
  })
  if (page > Math.max(1, listed.pages!)) throw new Missing(visit)
  const crumbs = crumbsOf(visit, await findCategoryPath(db, centre.id, category.id, locale))
  return {
    title: category.title,
    description: category.description ?? undefined,
    place: ['categories', category.slug],
    locales: localesOf(centre),
    isIndexed: page === 1 && (listed.items.length > 0 || tree.countIn(category) > 0),
    facts: [crumbFacts(visit, crumbs)],
    body: html`${breadcrumbs(visit, crumbs.slice(0, -1))}
${title(visit, category)}
${below(visit, tree, category)}
${articles(visit, listed, page, categoryAt(visit, category.slug), tree.countIn(category) === 0)}`,
  }
}

const title = (visit: Visit, category: CategoryRow): Html =>
  html`<header class="narrow"${langOf(visit, category.locale)}><h1>${category.title}</h1>
${category.description && html`<p class="lead">${category.description}</p>`}</header>`

function below(visit: Visit, tree: Tree, category: CategoryRow): Html | null {
  const children = tree.childrenOf(category.id)
  return children.length
    ? html`<section class="section">${cards(visit, tree, children, 'h2')}</section>`
    : null
}

function articles(
  visit: Visit,
  { items, pages }: Listed<FoundArticle>,
  page: number,
  path: string,
  isEmpty: boolean,
): Html {
  if (!items.length) return html`${isEmpty && html`<p>${visit.wording.texts.emptyCategory}</p>`}`
  const about = items.map(one => ({ ...one, text: one.excerpt }))
  return html`<div class="narrow">${summaries(visit, about)}
${renderPageLinks(visit, { page, pages: pages!, at: number => `${path}?page=${number}` })}</div>`
}

/** All articles, newest first, including those without a topic. */
export async function showAll(db: Db, visit: Visit, page: number): Promise<HelpPage> {
  const { centre, locale, wording } = visit
  const listed = await listArticles(db, centre.id, { locale, page, page_size: listedOnPage })
  if (page > Math.max(1, listed.pages!)) throw new Missing(visit)
  const place = ['articles']
  return {
    title: wording.texts.all,
    place,
    locales: localesOf(centre),
    isIndexed: page === 1,
    body: html`${breadcrumbs(visit, crumbsOf(visit, []))}
<h1>${wording.texts.all}</h1>
${articles(visit, listed, page, pathIn(visit, locale, place), true)}`,
  }
}
