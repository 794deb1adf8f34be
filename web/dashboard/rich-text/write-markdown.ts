import { Fragment, type Node } from '@tiptap/pm/model'
import { MarkdownSerializer, type MarkdownSerializerState } from 'prosemirror-markdown'
import { sourceOf } from './read-markdown.ts'
import { writeInline } from './write-inline.ts'

/** Several line breaks in a row begin a new paragraph, because Markdown has no empty lines inside one. */
function listParagraphs(paragraph: Node): Node[] {
  const parts: Node[][] = [[]]
  paragraph.forEach((child, _, index) => {
    const isBreak = child.type.name === 'hardBreak'
    if (isBreak && paragraph.maybeChild(index + 1)?.type === child.type) parts.push([])
    else if (!(isBreak && parts.at(-1)!.length === 0)) parts.at(-1)!.push(child)
  })
  return parts.length === 1
    ? [paragraph]
    : parts.map(part => paragraph.copy(Fragment.fromArray(part))).filter(({ childCount }) => childCount > 0)
}

function writeParagraphs(state: MarkdownSerializerState, paragraph: Node): void {
  for (const part of listParagraphs(paragraph)) {
    state.text(writeInline(part), false)
    state.closeBlock(part)
  }
}

const oneLine = (block: Node): string =>
  writeInline(block)
    .split('\n')
    .map(line => line.trim())
    .join(' ')

function writeHeading(state: MarkdownSerializerState, node: Node): void {
  const { level } = node.attrs
  const text = writeInline(node)
  // Only headings that are underlined can have several lines.
  if (level <= 2 && text.includes('\n')) state.text(`${text}\n${level === 1 ? '===' : '---'}`, false)
  else {
    const line = oneLine(node)
    // Markdown would drop "#" characters at the end of a heading.
    state.write(`${'#'.repeat(level)} ${line.endsWith('#') ? `${line.slice(0, -1)}\\#` : line}`)
  }
  state.closeBlock(node)
}

function writeCode(state: MarkdownSerializerState, node: Node): void {
  const longest = Math.max(2, ...[...node.textContent.matchAll(/`+/g)].map(([row]) => row.length))
  const fence = '`'.repeat(longest + 1)
  state.write(`${fence}${node.attrs.language ?? ''}\n`)
  state.text(node.textContent, false)
  state.write('\n')
  state.write(fence)
  state.closeBlock(node)
}

const lines: Record<string, string> = { left: ':--', right: '--:', center: ':-:' }

function writeTable(state: MarkdownSerializerState, table: Node): void {
  const rows = table.children.map(row => row.children.map(cell => oneLine(cell).replaceAll('|', '\\|')))
  const width = Math.max(...rows.map(({ length }) => length))
  const aligns = table.firstChild?.children.map(({ attrs }) => lines[attrs.align] ?? '---') ?? []
  const all = [rows[0] ?? [], aligns, ...rows.slice(1)].map((row, index) => [
    ...row,
    ...Array.from({ length: width - row.length }, () => (index === 1 ? '---' : '')),
  ])
  state.text(all.map(row => `| ${row.join(' | ')} |`).join('\n'), false)
  state.closeBlock(table)
}

/** Neighbouring lists of the same kind need different markers. */
function isSecond(node: Node, parent: Node, index: number): boolean {
  let before = index
  while (before > 0 && parent.child(before - 1).type === node.type) before--
  return (index - before) % 2 === 1
}

const serializer = new MarkdownSerializer(
  {
    paragraph: writeParagraphs,
    heading: writeHeading,
    blockquote: (state, node) => state.wrapBlock('> ', null, node, () => state.renderContent(node)),
    bulletList(state, node, parent, index) {
      const sign = isSecond(node, parent, index) ? '* ' : '- '
      state.renderList(node, '  ', () => sign)
    },
    orderedList(state, node, parent, index) {
      const sign = isSecond(node, parent, index) ? ') ' : '. '
      const last = String(node.attrs.start + node.childCount - 1)
      state.renderList(node, ' '.repeat(last.length + 2), at =>
        `${node.attrs.start + at}${sign}`.padEnd(last.length + 2),
      )
    },
    listItem: (state, node) => state.renderContent(node),
    codeBlock: writeCode,
    table: writeTable,
    horizontalRule(state, node) {
      state.write('---')
      state.closeBlock(node)
    },
  },
  {},
)

const blocks = new WeakMap<Node, string>()

function writeBlock(block: Node, parent: Node, index: number): string {
  const isListed = block.type.name.endsWith('List')
  const known = isListed ? undefined : blocks.get(block)
  if (known !== undefined) return known
  // The marker of a list depends on the lists next to it.
  const doc = isListed && isSecond(block, parent, index) ? [block.type.createAndFill(), block] : [block]
  const text = serializer.serialize(
    parent.type.create(
      null,
      doc.filter(one => one !== null),
    ),
  )
  const own = doc.length === 1 ? text : text.slice(text.indexOf('\n')).trimStart()
  blocks.set(block, own)
  return own
}

/** The text of a document. Blocks that were read and not changed since are written as they were. */
export function writeMarkdown(doc: Node): string {
  let text = ''
  let previous: Node | null = null
  doc.forEach((block, _, index) => {
    const source = sourceOf(block)
    const own = source?.text ?? writeBlock(block, doc, index)
    if (own === '') return
    text += source && source.previous === previous ? source.gap : text ? '\n\n' : ''
    text += own
    previous = block
  })
  return text + (doc.lastChild && previous === doc.lastChild ? (sourceOf(doc.lastChild)?.rest ?? '') : '')
}
