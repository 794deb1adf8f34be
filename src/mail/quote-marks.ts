/** Recognises the marks that mail programs put on quoted text in HTML. */

/** Elements that contain the attribution line or the header block above a quote. */
const introductions = ['gmail_attr', 'moz-cite-prefix', 'divrplyfwdmsg', 'outlookmessageheader']

/** Elements that contain a quote. */
const containers = [
  'gmail_quote',
  'gmail_quote_container',
  'yahoo_quoted',
  'protonmail_quote',
  'tutanota_quote',
  'zmail_extra',
  'isreplycontent',
  'mail-editor-reference-message-container',
  'messagereplysection',
  'ms-outlook-mobile-reference-message',
  'quote',
]

export type QuoteMark = 'introduction' | 'container' | 'cite'

const attribute = /\s([a-z-]+)="([^"]*)"/gi

// Webmail adds a prefix to classes and ids in the emails it shows: `x_gmail_quote`, `ydp4f1yahoo_quoted`.
const isNamed = (word: string, names: string[]): boolean =>
  names.some(name => word === name || word === `x_${name}` || (word.startsWith('ydp') && word.endsWith(name)))

function readAttributes(tag: string): Map<string, string> {
  const found = [...tag.matchAll(attribute)]
  return new Map(found.map(([, name, value]) => [name!.toLowerCase(), value!.toLowerCase()]))
}

/**
 * The mark on an opening tag; null if it has none. `cite` is a block quote that a mail program added. A sanitiser must keep the
 * attributes `class`, `id`, `name` and `type`, or replace them by `data-quote="<mark>"`.
 */
export function findQuoteMark(tag: string): QuoteMark | null {
  const attributes = readAttributes(tag)
  const kept = attributes.get('data-quote')
  if (kept === 'introduction' || kept === 'container' || kept === 'cite') return kept
  if (attributes.get('type') === 'cite') return 'cite'
  const tokens = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`.split(' ')
  if (tokens.some(word => isNamed(word, introductions))) return 'introduction'
  if (tokens.some(word => word !== 'quote' && isNamed(word, containers))) return 'container'
  return isNamed(attributes.get('name') ?? '', containers) ? 'container' : null
}
