import type { Document } from 'yaml'
import { lazyRequire } from '../core/async/lazy-require.ts'
import { asList, propertyOf } from '../core/objects.ts'
import { slugify } from '../core/text/slug.ts'
import { fieldReaders, type PageFields } from './page-fields.ts'
import { maxArticleLength } from './render.ts'

const load = lazyRequire<typeof import('yaml')>('yaml')

/** A Markdown file to import: front matter in YAML, then the content. */
export interface ImportedPage extends PageFields {
  file: string
  /** The line where the Markdown begins. */
  line: number
  markdown: string
}

/** What is wrong with a file, with the line if it is known. */
export class PageProblem extends Error {
  readonly line: number | null
  constructor(line: number | null, message: string) {
    super(message)
    this.line = line
  }
}

interface Split {
  front: string
  content: string
}

function splitPage(text: string): Split {
  const lines = text.split('\n')
  if (lines[0]!.trimEnd() !== '---') return { front: '', content: text }
  const end = lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)\s*$/.test(line))
  if (end < 0) throw new PageProblem(1, 'the front matter has no end; put --- in a line behind it')
  return { front: lines.slice(1, end).join('\n'), content: lines.slice(end + 1).join('\n') }
}

type Front = Document.Parsed

/** Parses YAML without aliases, because a few lines with them could expand without limit. */
function parseFront(front: string): { document: Front; lineOf(node: unknown): number } {
  const { LineCounter, parseDocument, visit } = load()
  const counter = new LineCounter()
  // Line 1 is the opening line of the front matter.
  const lineAt = (offset: number) => counter.linePos(offset).line + 1
  const lineOf = (node: unknown) => lineAt(Number(asList(propertyOf(node, 'range'))[0] ?? 0))
  const document = parseDocument(front, { lineCounter: counter, prettyErrors: false })
  const [error] = document.errors
  if (error)
    throw new PageProblem(lineAt(error.pos[0]), `the front matter is not valid YAML: ${error.message}`)
  visit(document, {
    Alias(_, alias) {
      throw new PageProblem(lineOf(alias), `*${alias.source} stands for another part, which is not read here`)
    },
  })
  return { document, lineOf }
}

function readFront(front: string): Partial<PageFields> {
  if (front === '') return {}
  const { document, lineOf } = parseFront(front)
  const { contents } = document
  if (!load().isMap(contents)) throw new PageProblem(2, 'the front matter must be lines of name: value')
  const values: Record<string, unknown> = document.toJS()
  const fields: Record<string, unknown> = {}
  for (const { key } of contents.items) {
    const name = String(key)
    const read = fieldReaders[name]
    if (!read || values[name] === null) continue
    const { field, wanted, result } = read(values[name])
    if (result === undefined) throw new PageProblem(lineOf(key), `${name} must be ${wanted}`)
    fields[field] = result
  }
  return fields
}

const firstHeading = /^\s*# ([^\n]*)(?:\n|$)/

/** Removes the closing sequence of a heading: `# Title #`. */
const withoutClosing = (text: string): string =>
  text
    .trimEnd()
    .replace(/(?:^| )#+$/, '')
    .trim()

/** Removes a first heading that repeats the title, because pages show the title anyway. Without a title, the heading becomes the title. */
function takeTitle(title: string | undefined, content: string): { title: string; markdown: string } {
  const heading = firstHeading.exec(content)
  const words = withoutClosing(heading?.[1] ?? '')
  const shown = title ?? words.slice(0, 255)
  if (!shown)
    throw new PageProblem(
      1,
      'has no title; start with a heading such as # Title, or set title: in the front matter',
    )
  const isSame = words.toLowerCase() === shown.trim().toLowerCase()
  return { title: shown, markdown: (isSame ? content.slice(heading![0].length) : content).trim() }
}

const nameOf = (file: string): string =>
  file
    .split('/')
    .at(-1)!
    .replace(/\.\w+$/, '')

/** Reads one file. `locale` is the default for a page without one. */
export function readPage(file: string, bytes: Buffer, locale: string): ImportedPage {
  const text = decode(bytes)
  const { front, content } = splitPage(text)
  if (content.length > maxArticleLength)
    throw new PageProblem(null, `is longer than the ${maxArticleLength} characters that an article may have`)
  const fields = readFront(front)
  const { title, markdown } = takeTitle(fields.title, content)
  const slug = fields.slug ?? slugify(nameOf(file))
  if (!slug) throw new PageProblem(1, 'has no slug; put slug: into the front matter')
  const line = text.slice(0, text.trimEnd().length - markdown.length).split('\n').length
  return { locale, ...fields, file, line, title, slug, markdown }
}

function decode(bytes: Buffer): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, '\n')
  } catch {
    throw new PageProblem(null, 'is not UTF-8 text; save it in that encoding')
  }
  const at = text.indexOf('\0')
  if (at < 0) return text
  throw new PageProblem(text.slice(0, at).split('\n').length, 'holds a NUL character')
}
