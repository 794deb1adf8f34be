import { countIn, directionOf, fillPlaceholders } from '../core/text/texts.ts'
import type { CategoryRow, FoundArticle, PathCategory } from '../knowledge/knowledge.ts'
import type { Tree } from './category-tree.ts'
import { type Html, html, type Value } from './html.ts'
import { articleAt, categoryAt, homeOf, type Visit } from './page.ts'

/** Parts that several pages show. */

/** The `lang` attribute of a text; null if it has the page's language. */
export const langOf = ({ wording }: Visit, locale: string): Html | null =>
  locale === wording.locale ? null : html` lang="${locale}" dir="${directionOf(locale)}"`

export const section = (title: string, content: Value, id: string): Html =>
  html`<section class="section ${id}" aria-labelledby="_${id}"><h2 id="_${id}">${title}</h2>${content}</section>`

const isAddress = (icon: string): boolean => /^https?:\/\//.test(icon)

const icon = (text: string | null): Html | null =>
  text === null
    ? null
    : html`<span class="icon" aria-hidden="true">${isAddress(text) ? html`<img src="${text}" alt="">` : text}</span>`

function card(visit: Visit, tree: Tree, category: CategoryRow, level: 'h2' | 'h3'): Html {
  const count = countIn(visit.wording, visit.wording.texts.articles, tree.countIn(category))
  return html`<li class="card"${langOf(visit, category.locale)}>${icon(category.icon)}
<${level}><a href="${categoryAt(visit, category.slug)}">${category.title}</a></${level}>
${category.description && html`<p>${category.description}</p>`}
<p class="count" lang="${visit.wording.locale}">${count}</p></li>`
}

/** `level` is the heading level of the cards, one below the heading above them. */
export const cards = (visit: Visit, tree: Tree, categories: CategoryRow[], level: 'h2' | 'h3'): Html =>
  html`<ul class="plain cards">${categories.map(one => card(visit, tree, one, level))}</ul>`

/** The topics of the help centre, for pages without results. */
export function topics(visit: Visit, tree: Tree): Html | null {
  const roots = tree.childrenOf(null)
  return roots.length ? section(visit.wording.texts.topics, cards(visit, tree, roots, 'h3'), 'topics') : null
}

const link = (visit: Visit, article: FoundArticle): Html =>
  html`<li><a href="${articleAt(visit, article.slug)}"${langOf(visit, article.locale)}><span class="title">${article.title}</span></a></li>`

/** A list of titles. */
export const articleLinks = (visit: Visit, articles: FoundArticle[]): Html =>
  html`<ul class="plain links">${articles.map(one => link(visit, one))}</ul>`

/** A list of titles with excerpts or search highlights. */
export const summaries = (
  visit: Visit,
  articles: { slug: string; locale: string; title: Value; text: Value }[],
): Html =>
  html`<ul class="plain links">${articles.map(
    one => html`<li><a href="${articleAt(visit, one.slug)}"${langOf(visit, one.locale)}>
<span class="title">${one.title}</span>${one.text && html`<span class="excerpt">${one.text}</span>`}</a></li>`,
  )}</ul>`

export interface Crumb {
  title: string
  path: string
  locale: string
}

export const crumbsOf = (visit: Visit, path: PathCategory[]): Crumb[] => [
  { title: visit.wording.texts.home, path: homeOf(visit), locale: visit.wording.locale },
  ...path.map(one => ({ title: one.title, path: categoryAt(visit, one.slug), locale: one.locale })),
]

export const breadcrumbs = (visit: Visit, crumbs: Crumb[]): Html =>
  html`<nav class="crumbs" aria-label="${visit.wording.texts.breadcrumbs}"><ol>${crumbs.map(
    one => html`<li><a href="${one.path}"${langOf(visit, one.locale)}>${one.title}</a></li>`,
  )}</ol></nav>`

/** Breadcrumbs as JSON-LD for search engines. */
export const crumbFacts = ({ publicUrl }: Visit, crumbs: Crumb[]): object => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: crumbs.map(({ title, path }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name: title,
    item: publicUrl + path,
  })),
})

export interface PageLinks {
  page: number
  pages: number
  /** The address of a page by its number. */
  at(page: number): string
}

export function renderPageLinks(
  { wording: { texts, locale } }: Visit,
  { page, pages, at }: PageLinks,
): Html | null {
  if (pages < 2) return null
  const number = (value: number) => new Intl.NumberFormat(locale).format(value)
  return html`<nav class="pages" aria-label="${texts.pages}">
${page > 1 && html`<a rel="prev" href="${at(page - 1)}">${texts.newer}</a>`}
<span class="muted">${fillPlaceholders(texts.pageOf, { page: number(page), pages: number(pages) })}</span>
${page < pages && html`<a rel="next" href="${at(page + 1)}">${texts.older}</a>`}
</nav>`
}
