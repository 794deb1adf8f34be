import { readHtmlLines, renderLines } from './quote-html.ts'
import { type Earlier, type Knowledge, learn } from './quote-known.ts'
import { readTextLines } from './quote-lines.ts'
import { findQuote } from './quote-runs.ts'

export type { Earlier } from './quote-known.ts'

export interface Folded {
  visibleText: string
  /** '' if nothing is folded. */
  quotedText: string
  visibleHtml: string | null
  /** Null if nothing is folded. */
  quotedHtml: string | null
}

/** Longer texts are shown whole. They are truncated or stored as files before anyone reads them. */
const maxLength = 256 * 1024

function foldText(text: string, knowledge: Knowledge): { visible: string; quoted: string } {
  const run = text.length > maxLength ? null : findQuote(readTextLines(text), knowledge)
  if (!run) return { visible: text, quoted: '' }
  const lines = text.split('\n')
  const above = lines.slice(0, run.from).join('\n').trimEnd()
  const below = lines.slice(run.end).join('\n').trimEnd()
  return {
    visible: above === '' ? below.replace(/^\s+/, '') : `${above}\n${below}`.trimEnd(),
    quoted: lines.slice(run.from, run.end).join('\n').trim(),
  }
}

function foldHtml(html: string, knowledge: Knowledge): { visible: string; quoted: string | null } {
  if (html.length > maxLength) return { visible: html, quoted: null }
  const { lines, tokens } = readHtmlLines(html)
  const run = findQuote(lines, knowledge)
  if (!run) return { visible: html, quoted: null }
  const isQuoted = (line: number): boolean => line >= run.from && line < run.end
  return { visible: renderLines(tokens, line => !isQuoted(line)), quoted: renderLines(tokens, isQuoted) }
}

/**
 * Separates the new text of a reply from quoted earlier messages of the ticket. It compares the lines with those messages and
 * is independent of the language. Nothing is lost: the visible and quoted parts together contain every word. `html` must be
 * sanitised.
 */
export function foldQuotes(mail: { text: string; html: string | null }, earlier: Earlier): Folded {
  const knowledge = learn(earlier)
  const text = foldText(mail.text, knowledge)
  const html = mail.html === null ? null : foldHtml(mail.html, knowledge)
  return {
    visibleText: text.visible,
    quotedText: text.quoted,
    visibleHtml: html?.visible ?? null,
    quotedHtml: html?.quoted ?? null,
  }
}
