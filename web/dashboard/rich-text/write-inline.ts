import { Fragment, type Mark, type Node, type Schema } from '@tiptap/pm/model'
import { MarkdownSerializer } from 'prosemirror-markdown'
import { findUrls, isArticle, parseMarkdown } from './read-markdown.ts'

/**
 * Writes the text of a paragraph with as few backslashes as possible: a character is escaped only if the text
 * would otherwise be read as something else.
 */

const special = /[\\`*_~[\]<>&!]/g
const escapeSigns = (text: string): string => text.replaceAll(special, '\\$&')

/** Leaves URLs as they are, because a backslash would end the link. */
function escapeOutsideUrls(text: string): string {
  let written = ''
  let end = 0
  for (const { index, lastIndex } of findUrls(text)) {
    written += escapeSigns(text.slice(end, index)) + text.slice(index, lastIndex)
    end = lastIndex
  }
  return written + escapeSigns(text.slice(end))
}

// Characters that begin a list, a quote, a heading, code, a table or a line.
const starts = /^([ \t]*)(\d*)([-+*](?=[-\s|:]|$)|[>#=|:.)]|\*(?=[*\s]*$)|~(?=~~)|`(?=``))/gm
const escapeStarts = (text: string): string => text.replaceAll(starts, '$1$2\\$3')

const printUrl = (url: unknown): string =>
  String(url ?? '')
    .replaceAll(/[\s<>]/g, encodeURIComponent)
    .replaceAll(/[()\\]/g, '\\$&')

const titleOf = (title: unknown): string => (title ? ` "${String(title).replaceAll(/["\\]/g, '\\$&')}"` : '')

/** As many backticks as the code needs. */
function ticksOf(text: string): [open: string, close: string] {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([row]) => row.length))
  const ticks = '`'.repeat(longest + 1)
  const space = /^`|`$|^ .* $/s.test(text) ? ' ' : ''
  return [ticks + space, space + ticks]
}

// A backslash would become a part of an address before it.
const breakOf = (schema: Schema): string => (isArticle(schema) ? '  \n' : '\n')

const textAt = (parent: Node, index: number): string => parent.maybeChild(index)?.text ?? ''

const inline = { mixable: true, expelEnclosingWhitespace: true }

const createSerializer = (escapeText: (text: string) => string): MarkdownSerializer =>
  new MarkdownSerializer(
    {
      paragraph: (state, node) => state.renderInline(node),
      text: (state, node) => state.text(escapeText(node.text ?? ''), false),
      hardBreak: (state, { type }) => state.write(breakOf(type.schema)),
      image: (state, { attrs }) =>
        state.write(`![${escapeSigns(attrs.alt ?? '')}](${printUrl(attrs.src)}${titleOf(attrs.title)})`),
    },
    {
      bold: { open: '**', close: '**', ...inline },
      italic: { open: '*', close: '*', ...inline },
      strike: { open: '~~', close: '~~', ...inline },
      link: {
        open: '[',
        close: (_, mark) => `](${printUrl(mark.attrs.href)}${titleOf(mark.attrs.title)})`,
        ...inline,
      },
      code: {
        open: (_, __, parent, index) => ticksOf(textAt(parent, index))[0],
        close: (_, __, parent, index) => ticksOf(textAt(parent, index - 1))[1],
        escape: false,
      },
    },
    { hardBreakNodeName: 'hardBreak' },
  )

const asIs = createSerializer(text => text)
const outsideUrls = createSerializer(escapeOutsideUrls)
const everywhere = createSerializer(escapeSigns)

const attempts: ((paragraph: Node) => string)[] = [
  one => asIs.serialize(one),
  one => escapeStarts(asIs.serialize(one)),
  one => outsideUrls.serialize(one),
  one => escapeStarts(outsideUrls.serialize(one)),
  one => escapeStarts(everywhere.serialize(one)),
]

const signOf = ({ type, attrs }: Mark): string => `${type.name} ${attrs.href ?? ''} ${attrs.title ?? ''}`

/** What a reader sees: words with their marks, in which the amount of blank space does not matter. */
function shapeOf(paragraph: Node): string {
  let shape = ''
  let marks = ''
  paragraph.forEach(child => {
    if (child.isText) {
      for (const [run] of (child.text ?? '').matchAll(/\s+|\S+/g)) {
        if (!run.trim()) {
          shape += ' '
          continue
        }
        const next = child.marks.map(signOf).join()
        shape += next === marks ? run : `\u0000${next}\u0000${run}`
        marks = next
      }
    } else
      shape += child.type.name === 'hardBreak' ? '\n' : JSON.stringify([child.attrs, child.marks.map(signOf)])
  })
  const lines = shape.replaceAll(/ +/g, ' ').split('\n')
  return lines
    .map(line => line.trim())
    .join('\n')
    .trim()
}

function isRead(text: string, paragraph: Node): boolean {
  const { childCount, firstChild } = parseMarkdown(paragraph.type.schema, text)
  return childCount === 1 && firstChild?.type === paragraph.type && shapeOf(firstChild) === shapeOf(paragraph)
}

const emphasis = ['bold', 'italic', 'strike']

function countSignsAtEnd(text: string): number {
  let count = 0
  while (/[\p{P}\p{S}]/u.test(text.at(-1 - count) ?? '')) count++
  return count
}

/** Removes emphasis from the punctuation at its edges, because Markdown does not end emphasis between punctuation and a letter. */
function unmarkEdges(paragraph: Node): Node {
  const children = paragraph.children.flatMap((child, index) => {
    const { text = '', marks } = child
    const isEdge = (beside: number): boolean => {
      const others = paragraph.maybeChild(beside)?.marks ?? []
      return marks.some(mark => emphasis.includes(mark.type.name) && !mark.isInSet(others))
    }
    const lead = isEdge(index - 1) ? (/^[\p{P}\p{S}]+/u.exec(text)?.[0].length ?? 0) : 0
    const tail = isEdge(index + 1) ? countSignsAtEnd(text.slice(lead)) : 0
    if (lead + tail === 0) return [child]
    const rest = marks.filter(({ type }) => !emphasis.includes(type.name))
    const parts = [
      { part: text.slice(0, lead), kept: rest },
      { part: text.slice(lead, text.length - tail), kept: marks },
      { part: text.slice(text.length - tail), kept: rest },
    ]
    return parts.flatMap(({ part, kept }) => (part ? [paragraph.type.schema.text(part, kept)] : []))
  })
  return paragraph.copy(Fragment.fromArray(children))
}

const inDoc = (paragraph: Node): Node => paragraph.type.schema.topNodeType.create(null, paragraph)

function writeParagraph(paragraph: Node): string {
  for (const attempt of attempts) {
    const text = attempt(inDoc(paragraph)).trim()
    if (isRead(text, paragraph)) return text
  }
  return ''
}

const escaped = (paragraph: Node): string => escapeStarts(everywhere.serialize(inDoc(paragraph))).trim()

const written = new WeakMap<Node, string>()

/** The Markdown of the text in a paragraph, a heading or a cell. */
export function writeInline(block: Node): string {
  const known = written.get(block)
  if (known !== undefined) return known
  const paragraph = block.type.schema.node('paragraph', null, block.content)
  const simpler = () => unmarkEdges(paragraph)
  const text =
    shapeOf(paragraph) === ''
      ? ''
      : writeParagraph(paragraph) || writeParagraph(simpler()) || escaped(simpler())
  written.set(block, text)
  return text
}
