import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../core/config/config.ts'
import { fontPreload } from '../core/fonts/fonts.ts'
import { escapeHtml } from '../core/text/markdown.ts'
import { guides, type RenderedGuide, renderGuide } from './guides.ts'

/** The pages /docs/guides, /docs/events and so on, without scripts. */

const logo = readFileSync(join(root, 'src/core/icon.svg'), 'utf8')
  .replace(/<title>.*<\/title>/, '')
  .replace('<svg', '<svg aria-hidden="true"')

/** The header of all pages below /docs. Addresses are relative to the page. */
export const topBar = (docs: string, current: string): string => {
  const currentIf = (is: boolean, kind = 'page') => (is ? ` aria-current="${kind}"` : '')
  const link = (path: string, words: string) =>
    `<a href="${docs}${path}"${currentIf(path === current)}>${words}</a>`
  return `<header class="top"><nav aria-label="Documentation">
<span class="brand">${logo}Deskbell</span>
${link('', 'API reference')}
<details><summary${currentIf(current !== '', 'true')}>Guides</summary><ul>
${Object.entries(guides)
  .map(([name, { title }]) => `<li>${link(`/${name}`, escapeHtml(title))}</li>`)
  .join('\n')}
</ul></details>
</nav></header>`
}

const contents = ({ headings }: RenderedGuide): string =>
  `<nav class="contents" aria-label="On this page"><ul>${headings
    .map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
    .join('')}</ul></nav>`

const frame = (stamp: string, current: string, title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} · Deskbell</title>
    <link rel="icon" href="data:,">
    ${fontPreload}
    <link rel="stylesheet" href="${stamp}/inter.css">
    <link rel="stylesheet" href="${stamp}/top.css">
    <link rel="stylesheet" href="${stamp}/guide.css">
  </head>
  <body>
<a class="skip" href="#content">Skip to the content</a>
${topBar('../docs', `/${current}`)}
${body}
  </body>
</html>
`

export function printGuide(name: string, stamp: string): string {
  const guide = renderGuide(name)
  const body = `<div class="sheet">
<main id="content">
${guide.html}</main>
${guide.headings.length > 1 ? contents(guide) : ''}
</div>`
  return frame(stamp, name, guide.title, body)
}

export function printGuides(stamp: string): string {
  const items = Object.entries(guides).map(
    ([name, { title, about }]) =>
      `<li><a href="${name}">${escapeHtml(title)}</a><br>${escapeHtml(about)}</li>`,
  )
  const body = `<div class="sheet"><main id="content"><h1>Guides</h1><ul class="guides">${items.join('\n')}</ul></main></div>`
  return frame(stamp, 'guides', 'Guides', body)
}
