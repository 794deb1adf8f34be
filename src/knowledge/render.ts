import type MarkdownIt from 'markdown-it'
import { lazyRequire } from '../core/async/lazy-require.ts'
import { type Allowed, allowed, sanitize, shorten, type Transformer, textOf } from '../core/text/markdown.ts'
import { slugify } from '../core/text/slug.ts'

/** In characters. This much of the slowest Markdown, a table, took 1 s to render. */
export const maxArticleLength = 128 * 1024

const load = lazyRequire<typeof MarkdownIt>('markdown-it')
let opened: InstanceType<typeof MarkdownIt> | null = null

function markdown(): InstanceType<typeof MarkdownIt> {
  opened ??= new (load())({ html: true, linkify: true })
  return opened
}

/** The parts of an article, with their lines. */
export const parseArticle = (content: string) => markdown().parse(content, {})

const isAbsolute = (address: string | undefined): boolean => /^(https?:\/\/|\/)/i.test(address ?? '')

/** Aligns table cells by an attribute, because the pages forbid styles. */
const alignCell: Transformer = (tagName, { style, ...attribs }) => {
  const side = /^text-align: ?(left|center|right)$/.exec(style ?? '')?.[1]
  return { tagName, attribs: { ...attribs, ...(side && { align: side }) } }
}

/** Images beside the Markdown file are not imported, so their descriptions replace them. */
const inArticles: Allowed = {
  ...allowed,
  allowedAttributes: {
    ...allowed.allowedAttributes,
    a: ['href', 'title', 'rel'],
    td: ['align', 'colspan', 'rowspan'],
    th: ['align', 'colspan', 'rowspan', 'scope'],
    code: [{ name: 'class', multiple: false, values: ['language-*'] }],
    details: ['open'],
  },
  allowedClasses: { code: ['language-*'] },
  transformTags: {
    td: alignCell,
    th: alignCell,
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener noreferrer' } }),
    img: (tagName, attribs) =>
      isAbsolute(attribs.src)
        ? { tagName, attribs }
        : { tagName: 'em', attribs: {}, text: attribs.alt || 'image' },
  },
}

const heading = /<(h[1-6])((?: (?:dir|lang)="[^"]*")*)>(.*?)<\/\1>/gs

function next(counts: Map<string, number>, name: string): number {
  const count = counts.get(name)! + 1
  counts.set(name, count)
  return count
}

/** Gives every heading an id made of its words, for the table of contents. */
function nameHeadings(html: string): string {
  const taken = new Map<string, number>()
  return html.replaceAll(heading, (_, tag: string, attributes: string, inner: string) => {
    const name = slugify(textOf(inner)) || 'section'
    let id = name
    while (taken.has(id)) id = `${name}-${next(taken, name)}`
    taken.set(id, 1)
    return `<${tag}${attributes} id="${id}">${inner}</${tag}>`
  })
}

const control = /(?![\t\n])\p{Cc}/gu

export interface Rendered {
  content_html: string
  content_text: string
  excerpt: string
}

const blockEnd = /<\/(?:p|h[1-6]|li|tr|td|th|pre|blockquote|div|summary)>|<br \/>/g

/** Renders the Markdown of an article as safe HTML, plain text and an excerpt. */
export function renderArticle(content: string): Rendered {
  const html = sanitize(markdown().render(content), inArticles)
  const text = textOf(html.replaceAll(blockEnd, end => `${end}\n`))
    .replaceAll(control, '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .join('\n')
  return { content_html: nameHeadings(html), content_text: text, excerpt: shorten(text, 300) }
}
