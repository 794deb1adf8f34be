import type { Db } from '../../core/db/db.ts'
import { escapeHtml } from '../../core/text/markdown.ts'
import { fillPlaceholders } from '../../core/text/texts.ts'
import { isoOf } from '../../core/time.ts'
import {
  type ArticleRow,
  type FoundArticle,
  findArticle,
  findCategoryPath,
  listArticles,
  listNeighbours,
} from '../../knowledge/knowledge.ts'
import { type Heading, listHeadings, renderArticleHtml } from '../article-html.ts'
import { showContact } from '../contact.ts'
import { type Html, html, trusted } from '../html.ts'
import { articleLinks, breadcrumbs, type Crumb, crumbFacts, crumbsOf, langOf, section } from '../lists.ts'
import { articleAt, type HelpPage, Missing, Moved, type Visit } from '../page.ts'
import { dateIn, nameOfLanguage } from '../texts/texts.ts'

const relatedCount = 5

type Neighbours = Awaited<ReturnType<typeof listNeighbours>>

/** The data of an article's page. */
interface Reading {
  article: ArticleRow
  crumbs: Crumb[]
  neighbours: Neighbours
  related: FoundArticle[]
  /** The reader has just voted. */
  isThanked: boolean
  contact: Html | null
}

export async function getArticlePage(db: Db, visit: Visit, slug: string): Promise<ArticleRow> {
  const article = await findArticle(db, visit.centre.id, slug, visit.locale)
  if (!article) throw new Missing(visit)
  if (article.slug !== slug) throw new Moved(articleAt(visit, article.slug))
  return article
}

export async function showArticle(
  db: Db,
  visit: Visit,
  article: ArticleRow,
  isThanked: boolean,
): Promise<HelpPage> {
  const { centre } = visit
  const [way, neighbours, related, contact] = await Promise.all([
    findCategoryPath(db, centre.id, article.category_id, visit.locale),
    listNeighbours(db, centre.id, article),
    listRelated(db, visit, article),
    showContact(db, visit, article),
  ])
  const crumbs = crumbsOf(visit, way)
  const isOwn = article.locale === visit.locale
  return {
    title: article.title,
    description: article.excerpt || undefined,
    place: ['articles', article.slug],
    locales: article.available_locales,
    isIndexed: isOwn && !isThanked,
    facts: [articleFacts(visit, article), crumbFacts(visit, crumbs)],
    body: sheet(visit, { article, crumbs, neighbours, related, isThanked, contact }),
  }
}

async function listRelated(db: Db, { centre }: Visit, article: ArticleRow): Promise<FoundArticle[]> {
  if (article.category_id === null) return []
  const { items } = await listArticles(db, centre.id, {
    locale: article.locale,
    category_id: [article.category_id],
    sort: '-views_count',
    page_size: relatedCount + 1,
    count: false,
  })
  return items.filter(one => one.id !== article.id).slice(0, relatedCount)
}

function sheet(visit: Visit, reading: Reading): Html {
  const { article, crumbs, neighbours, related, isThanked, contact } = reading
  const { texts } = visit.wording
  const prose = renderArticleHtml(article.content_html, article.title, escapeHtml(texts.table))
  const headings = listHeadings(prose)
  const hasToc = headings.length > 1
  const lang = langOf(visit, article.locale)
  return html`${breadcrumbs(visit, crumbs)}
<div class="sheet${hasToc && ' with-toc'}">
<header class="narrow">
${lang && html`<p class="notice">${fillPlaceholders(texts.notTranslated, { language: nameOfLanguage(article.locale) })}</p>`}
<h1${lang}>${article.title}</h1>
${updated(visit, article)}</header>
${hasToc && contents(texts.onThisPage, headings, lang)}
<article class="prose"${lang}>${trusted(prose)}</article>
<div>${feedback(visit, article, isThanked)}
${contact}
${turn(visit, article, neighbours)}
${related.length > 0 && section(texts.related, html`<div class="narrow">${articleLinks(visit, related)}</div>`, 'related')}</div>
</div>`
}

const updated = ({ wording }: Visit, { author, updated_at }: ArticleRow): Html => {
  const time = html`<time datetime="${isoOf(updated_at)}">${dateIn(wording, updated_at)}</time>`
  const [before = '', after = ''] = wording.texts.updated.split('{date}')
  return html`<p class="muted">${before}${time}${after}${author && html` · ${author.name}`}</p>`
}

const contents = (title: string, headings: Heading[], lang: Html | null): Html =>
  html`<nav class="toc" aria-labelledby="_toc"><h2 id="_toc">${title}</h2>
<ul class="plain"${lang}>${headings.map(
    ({ id, level, text }) =>
      html`<li${level > 2 && html` class="deep"`}><a href="#${trusted(id)}">${text}</a></li>`,
  )}</ul></nav>`

function feedback(visit: Visit, article: ArticleRow, isThanked: boolean): Html {
  const { texts } = visit.wording
  if (isThanked) return html`<div class="feedback" id="_feedback" role="status"><p>${texts.thanks}</p></div>`
  return html`<section class="feedback" id="_feedback" aria-labelledby="_helpful"><h2 id="_helpful">${texts.helpful}</h2>
<form method="post" action="${articleAt(visit, article.slug)}">
<button name="helpful" value="yes">${texts.yes}</button>
<button name="helpful" value="no">${texts.no}</button>
</form></section>`
}

function turn(visit: Visit, { locale }: ArticleRow, { previous, next }: Neighbours): Html | null {
  const { texts } = visit.wording
  const link = (label: string, rel: string, to: { slug: string; title: string } | null) =>
    to &&
    html`<a rel="${rel}" href="${articleAt(visit, to.slug)}"><span>${label}</span><bdi${langOf(visit, locale)}>${to.title}</bdi></a>`
  return previous || next
    ? html`<div class="turn">${link(texts.previous, 'prev', previous)}${link(texts.next, 'next', next)}</div>`
    : null
}

const articleFacts = (visit: Visit, article: ArticleRow): object => ({
  '@context': 'https://schema.org',
  '@type': 'Article',
  headline: article.title,
  description: article.excerpt,
  inLanguage: article.locale,
  datePublished: isoOf(article.published_at),
  dateModified: isoOf(article.updated_at),
  mainEntityOfPage: visit.publicUrl + articleAt({ ...visit, locale: article.locale }, article.slug),
  author: article.author
    ? { '@type': 'Person', name: article.author.name }
    : { '@type': 'Organization', name: visit.centre.name },
  publisher: { '@type': 'Organization', name: visit.centre.name },
})
