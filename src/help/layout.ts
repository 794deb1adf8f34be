import { fontPreload } from '../core/fonts/fonts.ts'
import { directionOf } from '../core/text/texts.ts'
import { type Html, html, json, trusted } from './html.ts'
import { type HelpPage, homeOf, localesOf, pathIn, type Visit } from './page.ts'
import { stylesheetPath } from './stylesheet.ts'
import { nameOfLanguage, type Wording } from './texts/texts.ts'
import type { Theme } from './theme.ts'

/** The layout of all pages. */

const stylesheetAt = `/help${stylesheetPath}`

const document = (wording: Wording, head: Html, body: Html, kind = ''): Html => html`<!doctype html>
<html lang="${wording.locale}" dir="${wording.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}
<link rel="stylesheet" href="${stylesheetAt}">
${trusted(fontPreload)}
</head>
<body class="${kind}">
<a class="hidden skip" href="#_content">${wording.texts.skip}</a>
${body}
</body>
</html>
`

const nameOf = ({ centre, wording }: Visit): string => `${centre.name} · ${wording.texts.helpCentre}`

/** An icon in the project's colour with the first letter of its name. */
const drawIcon = (name: string, color: string, ink: string): string => {
  const letter = html`${[...name.trim()][0]?.toUpperCase() ?? '?'}`.text
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${color}"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="${ink}">${letter}</text></svg>`,
  )}`
}

function head(visit: Visit, page: HelpPage, theme: Theme): Html {
  const { centre, locale, publicUrl } = visit
  const address = (of: string) => publicUrl + pathIn(visit, of, page.place)
  const title = page.isHome ? nameOf(visit) : `${page.title} · ${nameOf(visit)}`
  const isIndexed = page.isIndexed !== false
  return html`<title>${title}</title>
${page.description && html`<meta name="description" content="${page.description}">`}
${isIndexed ? html`<link rel="canonical" href="${address(locale)}">` : html`<meta name="robots" content="noindex">`}
${
  isIndexed &&
  page.locales.length > 1 && [
    ...page.locales.map(one => html`<link rel="alternate" hreflang="${one}" href="${address(one)}">\n`),
    page.locales.includes(centre.default_locale) &&
      html`<link rel="alternate" hreflang="x-default" href="${address(centre.default_locale)}">`,
  ]
}
<meta property="og:site_name" content="${nameOf(visit)}">
<meta property="og:type" content="${page.place[0] === 'articles' && page.place[1] ? 'article' : 'website'}">
<meta property="og:title" content="${page.title}">
<meta property="og:url" content="${address(locale)}">
<meta property="og:locale" content="${locale.replace('-', '_')}">
${page.description && html`<meta property="og:description" content="${page.description}">`}
<meta name="theme-color" media="(prefers-color-scheme: light)" content="${theme.light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${theme.dark}">
<link rel="icon" href="${centre.logo_url ?? drawIcon(centre.name, theme.light, theme.ink)}">
<style>${theme.css}</style>
${page.facts?.map(fact => html`<script type="application/ld+json">${json(fact)}</script>\n`)}`
}

function languages(visit: Visit, page: HelpPage): Html | null {
  const offered = localesOf(visit.centre)
  if (offered.length < 2) return null
  const at = (one: string) => pathIn(visit, one, page.locales.includes(one) ? page.place : [])
  const item = (one: string) =>
    html`<li><a href="${at(one)}" hreflang="${one}" lang="${one}" dir="${directionOf(one)}"${
      one === visit.locale && html` aria-current="true"`
    }>${nameOfLanguage(one)}</a></li>`
  return html`<nav class="languages" aria-label="${visit.wording.texts.language}"><details>
<summary><span class="hidden">${visit.wording.texts.language}: </span><span lang="${visit.locale}">${nameOfLanguage(visit.locale)}</span></summary>
<ul class="plain">${offered.map(item)}</ul>
</details></nav>`
}

function searchForm(visit: Visit, query = ''): Html {
  const { texts } = visit.wording
  return html`<form class="search" role="search" action="${pathIn(visit, visit.locale, ['search'])}">
<input type="search" name="q" value="${query}" maxlength="200" aria-label="${texts.searchLabel}" placeholder="${texts.searchHint}" autocomplete="off" enterkeyhint="search">
<button>${texts.search}</button>
</form>`
}

function band(visit: Visit, page: HelpPage): Html {
  const { centre, wording } = visit
  return html`<header class="band">
<div class="wrap bar">
<a class="brand" href="${homeOf(visit)}">${
    centre.logo_url && html`<img src="${centre.logo_url}" alt="" height="36">`
  }<span>${nameOf(visit)}</span></a>
${languages(visit, page)}
</div>
<div class="wrap ask">${page.isHome && html`<h1>${wording.texts.question}</h1>`}
${searchForm(visit, page.query)}</div>
</header>`
}

/** A page in the layout of its help centre. */
export function renderLayout(visit: Visit, page: HelpPage, theme: Theme): string {
  const body = html`${band(visit, page)}
<main id="_content" tabindex="-1"><div class="wrap">
${page.body}
</div></main>
<footer><div class="wrap"><a href="${homeOf(visit)}">${nameOf(visit)}</a></div></footer>`
  return document(visit.wording, head(visit, page, theme), body, page.isHome ? 'home' : '').text
}

/** A page outside of a help centre: there is none, or it must not be queried. */
export function renderBareLayout(wording: Wording, title: string, text: string, theme: Theme): string {
  const about = html`<title>${title}</title>
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<style>${theme.css}</style>`
  const body = html`<main id="_content" tabindex="-1"><div class="wrap problem"><h1>${title}</h1>
<p class="lead">${text}</p></div></main>`
  return document(wording, about, body).text
}
