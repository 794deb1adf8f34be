import { escapeHtml, linkAttributes } from '../core/text/markdown.ts'

/** Finds URLs in plain text. */

const address = /https?:\/\/[^\s<>"]+/gi

const count = (text: string, sign: string): number => text.split(sign).length - 1

/** Removes punctuation that ends a sentence, and a closing bracket that was opened before the URL. */
function trim(found: string): string {
  let open = count(found, '(') - count(found, ')')
  let end = found.length
  for (; end > 0; end--) {
    const last = found[end - 1]!
    if (last === ')' && open < 0) open++
    else if (!/[.,;:!?'\]}…。，]/.test(last)) break
  }
  return found.slice(0, end)
}

function link(found: string): string {
  const url = trim(found)
  const html = escapeHtml(url)
  const attributes = `href="${html}" rel="${linkAttributes.rel}" target="${linkAttributes.target}"`
  return URL.canParse(url)
    ? `<a ${attributes}>${html}</a>${escapeHtml(found.slice(url.length))}`
    : escapeHtml(found)
}

/** The text as HTML, with URLs as links. */
export function linkText(text: string): string {
  let html = ''
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    html += escapeHtml(text.slice(end, index)) + link(found)
    end = index + found.length
  }
  return html + escapeHtml(text.slice(end))
}
