import type { MessageEntity } from '@grammyjs/types'
import { Parser } from 'htmlparser2'
import { trimEnd } from '../../../core/text/trim.ts'

/** Converts sanitised HTML to text with Telegram's entities. Unlike markup, they cannot be refused as invalid. */

export interface FormattedText {
  text: string
  entities: MessageEntity[]
}

type Simple = 'bold' | 'italic' | 'underline' | 'strikethrough' | 'code' | 'blockquote'

const simpleTags: Record<string, Simple> = {
  ...({ b: 'bold', strong: 'bold', th: 'bold' } as const),
  ...({ h1: 'bold', h2: 'bold', h3: 'bold', h4: 'bold', h5: 'bold', h6: 'bold' } as const),
  ...({ i: 'italic', em: 'italic', u: 'underline', ins: 'underline' } as const),
  ...({ s: 'strikethrough', del: 'strikethrough', strike: 'strikethrough' } as const),
  ...({ code: 'code', kbd: 'code', samp: 'code', blockquote: 'blockquote' } as const),
}

/** Line breaks before and after a block. */
const blocks: Record<string, number> = {
  ...{ p: 2, h1: 2, h2: 2, h3: 2, h4: 2, h5: 2, h6: 2, blockquote: 2, pre: 2, table: 2, ul: 2, ol: 2, hr: 2 },
  ...{ div: 1, li: 1, tr: 1, dt: 1, dd: 1, figure: 1, section: 1, article: 1 },
}

interface OpenTag {
  name: string
  from: number
  href: string
  language: string
  /** The number of the last item of a numbered list. */
  item: number
}

class Writer {
  text = ''
  readonly entities: MessageEntity[] = []
  readonly #open: OpenTag[] = []

  isIn(...names: string[]): boolean {
    return this.#open.some(({ name }) => names.includes(name))
  }

  breakLines(count: number): void {
    if (count === 0 || this.text === '') return
    const trimmed = this.isIn('pre') ? this.text : trimEnd(this.text, / /)
    const present = trimmed.length - trimEnd(trimmed, /\n/).length
    this.text = trimmed + '\n'.repeat(Math.max(0, count - present))
  }

  write(text: string): void {
    if (this.isIn('pre')) {
      this.text += text
      return
    }
    const flat = text.replaceAll(/\s+/g, ' ')
    const isAtStart = this.text === '' || /\s$/.test(this.text)
    this.text += isAtStart ? flat.trimStart() : flat
  }

  open(name: string, attributes: Record<string, string>): void {
    this.breakLines(blocks[name] ?? 0)
    if (name === 'br') this.text += '\n'
    if (name === 'hr') this.text += '———'
    if (name === 'img') this.write(attributes.alt || attributes.src || '')
    if ((name === 'td' || name === 'th') && !/(^|\n)$/.test(this.text))
      this.text = `${trimEnd(this.text, / /)} | `
    if (name === 'li') this.text += this.#bullet()
    const language = /language-([\w-]+)/.exec(attributes.class ?? '')?.[1] ?? ''
    const item = name === 'ol' ? (Number.parseInt(attributes.start ?? '', 10) || 1) - 1 : 0
    this.#open.push({ name, from: this.text.length, href: attributes.href ?? '', language, item })
  }

  #bullet(): string {
    const list = this.#open.findLast(({ name }) => name === 'ol' || name === 'ul')
    if (list?.name !== 'ol') return '• '
    list.item++
    return `${list.item}. `
  }

  close(name: string): void {
    const at = this.#open.findLastIndex(one => one.name === name)
    const [tag] = at < 0 ? [] : this.#open.splice(at, 1)
    if (tag) this.#mark(tag)
    this.breakLines(blocks[name] ?? 0)
  }

  #mark({ name, from, href, language }: OpenTag): void {
    const marked = this.text.slice(from)
    const offset = from + (marked.length - marked.trimStart().length)
    const length = marked.trim().length
    const type = simpleTags[name]
    // Code cannot contain other formatting, and quotes cannot be nested.
    if (length === 0 || (this.isIn('pre', 'code') && name !== 'pre')) return
    if (name === 'pre') this.entities.push({ type: 'pre', offset, length, ...(language && { language }) })
    else if (name === 'a' && /^(?:https?|tg|mailto|tel):/i.test(href)) this.#link(offset, length, href)
    else if (type && !(type === 'blockquote' && this.isIn('blockquote')))
      this.entities.push({ type, offset, length })
  }

  /** Telegram automatically links addresses that are visible in the text. */
  #link(offset: number, length: number, url: string): void {
    const shown = this.text.slice(offset, offset + length)
    if (shown !== url && `mailto:${shown}` !== url)
      this.entities.push({ type: 'text_link', offset, length, url })
  }
}

const contains = (outer: MessageEntity, inner: MessageEntity): boolean =>
  outer !== inner &&
  outer.offset <= inner.offset &&
  outer.offset + outer.length >= inner.offset + inner.length

const isCode = ({ type }: MessageEntity): boolean => type === 'code' || type === 'pre'

export function toFormattedText(html: string): FormattedText {
  const writer = new Writer()
  const parser = new Parser({
    onopentag: (name, attributes) => writer.open(name, attributes),
    ontext: text => writer.write(text),
    onclosetag: name => writer.close(name),
  })
  parser.end(html)
  const text = writer.text.trimEnd()
  const entities = writer.entities
    .filter(entity => !writer.entities.some(outer => isCode(outer) && contains(outer, entity)))
    .map(entity => ({ ...entity, length: Math.min(entity.length, text.length - entity.offset) }))
    .filter(({ length }) => length > 0)
  return {
    text,
    entities: entities.sort((one, other) => one.offset - other.offset || other.length - one.length),
  }
}
