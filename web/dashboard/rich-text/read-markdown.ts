import type { Node, Schema } from '@tiptap/pm/model'
import MarkdownIt from 'markdown-it'
import { MarkdownParser, type ParseSpec } from 'prosemirror-markdown'

type Tokens = ReturnType<InstanceType<typeof MarkdownIt>['parse']>

/** Addresses stay text, because the server makes them links. */
function withoutFoundLinks(tokens: Tokens): Tokens {
  for (const token of tokens)
    if (token.children) token.children = token.children.filter(({ markup }) => markup !== 'linkify')
  return tokens
}

function createTokenizer(options: { html: boolean; breaks: boolean }) {
  const tokenizer = new MarkdownIt({ ...options, linkify: true })
  const parse = tokenizer.parse.bind(tokenizer)
  tokenizer.parse = (text, env) => withoutFoundLinks(parse(text, env))
  return tokenizer
}

// Like the server's readers of messages and of articles.
const messages = createTokenizer({ html: false, breaks: true })
const articles = createTokenizer({ html: true, breaks: false })

/** In an article, a line breaks only after two spaces or a backslash. */
export const isArticle = (schema: Schema): boolean => schema.topNodeType.spec.isArticle === true

const tokenizerOf = (schema: Schema) => (isArticle(schema) ? articles : messages)

export const findUrls = (text: string) => messages.linkify.match(text) ?? []

/** The first HTML tag in the Markdown of an article, which the editor would lose; null if there is none. */
export function findHtml(text: string): string | null {
  if (!/<[a-z!?/]/i.test(text)) return null
  const found = articles
    .parse(text, {})
    .flatMap(token => [token, ...(token.children ?? [])])
    .find(({ type }) => type === 'html_block' || type === 'html_inline')
  return found ? (/^<\/?[a-z][\w-]*/i.exec(found.content.trim())?.[0].concat('>') ?? '<!-- -->') : null
}

const isTight = (tokens: Tokens, at: number): boolean =>
  tokens.slice(at).find(({ type }) => type === 'paragraph_open')?.hidden ?? true

const alignOf = (style: string | null): string | null => /text-align:(\w+)/.exec(style ?? '')?.[1] ?? null

const altOf = ({ children }: Tokens[number]): string | null =>
  messages.renderer
    .renderInlineAsText(children ?? [], messages.options, {})
    .replaceAll(/\s+/g, ' ')
    .trim() || null

const specs: Record<string, ParseSpec> = {
  paragraph: { block: 'paragraph' },
  blockquote: { block: 'blockquote' },
  heading: { block: 'heading', getAttrs: ({ tag }) => ({ level: Number(tag.slice(1)) }) },
  hr: { node: 'horizontalRule' },
  bullet_list: { block: 'bulletList', getAttrs: (_, tokens, at) => ({ tight: isTight(tokens, at) }) },
  ordered_list: {
    block: 'orderedList',
    getAttrs: (token, tokens, at) => ({
      start: Number(token.attrGet('start') ?? 1),
      tight: isTight(tokens, at),
    }),
  },
  list_item: { block: 'listItem' },
  code_block: { block: 'codeBlock', noCloseToken: true },
  fence: {
    block: 'codeBlock',
    getAttrs: ({ info }) => ({ language: info.trim() || null }),
    noCloseToken: true,
  },
  table: { block: 'table' },
  thead: { ignore: true },
  tbody: { ignore: true },
  tr: { block: 'tableRow' },
  th: { block: 'tableHeader', getAttrs: token => ({ align: alignOf(token.attrGet('style')) }) },
  td: { block: 'tableCell', getAttrs: token => ({ align: alignOf(token.attrGet('style')) }) },
  image: {
    node: 'image',
    getAttrs: token => ({
      src: token.attrGet('src'),
      title: token.attrGet('title'),
      alt: altOf(token),
    }),
  },
  hardbreak: { node: 'hardBreak' },
  em: { mark: 'italic' },
  strong: { mark: 'bold' },
  s: { mark: 'strike' },
  link: {
    mark: 'link',
    getAttrs: token => ({ href: token.attrGet('href'), title: token.attrGet('title') }),
  },
  code_inline: { mark: 'code', noCloseToken: true },
  html_block: { ignore: true, noCloseToken: true },
  html_inline: { ignore: true, noCloseToken: true },
}

const inMessages: typeof specs = { ...specs, softbreak: { node: 'hardBreak' } }

const parsers = new WeakMap<Schema, MarkdownParser>()

export function parseMarkdown(schema: Schema, text: string): Node {
  const parser =
    parsers.get(schema) ??
    new MarkdownParser(schema, tokenizerOf(schema), isArticle(schema) ? specs : inMessages)
  parsers.set(schema, parser)
  return parser.parse(text)
}

/** The Markdown from which a block was read, and what was between it and the block before. */
interface Source {
  text: string
  gap: string
  previous: Node | null
  /** What followed the last block. */
  rest: string
}

const sources = new WeakMap<Node, Source>()

export const sourceOf = (block: Node): Source | undefined => sources.get(block)

function startsOfLines(text: string): number[] {
  return [0, ...[...text.matchAll(/\r\n?|\n/g)].map(({ 0: end, index }) => index + end.length)]
}

/** Reads Markdown, and remembers the text of each block, which is written again as long as the block is unchanged. */
export function readMarkdown(schema: Schema, text: string): Node {
  const doc = parseMarkdown(schema, text)
  const starts = startsOfLines(text)
  const env: Parameters<typeof messages.parse>[1] = {}
  const maps = tokenizerOf(schema)
    .parse(text, env)
    .flatMap(({ level, map, nesting }) => (level === 0 && map && nesting >= 0 ? [map] : []))
  // Definitions of links are between the blocks, and would be lost with one of them.
  if (Object.keys(env?.references ?? {}).length > 0) return doc
  if (maps.length !== doc.childCount) return doc
  let end = 0
  doc.forEach((block, _, index) => {
    const [first, last] = maps[index]!
    const from = starts[first] ?? text.length
    const own = text.slice(from, starts[last] ?? text.length).trimEnd()
    sources.set(block, {
      text: own,
      gap: text.slice(end, from),
      previous: index > 0 ? doc.child(index - 1) : null,
      rest: '',
    })
    end = from + own.length
  })
  const source = doc.lastChild && sources.get(doc.lastChild)
  if (source) source.rest = text.slice(end)
  return doc
}
