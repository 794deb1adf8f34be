/** How mail programs mark quotes in HTML. */

/** Elements that contain the line which introduces a quote, or the header block above it. */
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

// Web mail puts a prefix in front of the classes and ids of the mails it shows: `x_gmail_quote`, `ydp4f1yahoo_quoted`.
const isNamed = (word: string, names: string[]): boolean =>
  names.some(name => word === name || word === `x_${name}` || (word.startsWith('ydp') && word.endsWith(name)))

function readAttributes(tag: string): Map<string, string> {
  const found = [...tag.matchAll(attribute)]
  return new Map(found.map(([, name, value]) => [name!.toLowerCase(), value!.toLowerCase()]))
}

/**
 * How an opening tag of HTML marks a quote; null if it does not. `cite` is a block quote of a mail program. A sanitiser must
 * keep the attributes `class`, `id`, `name` and `type`, or put `data-quote="<mark>"` in their place.
 */
export function findQuoteMark(tag: string): QuoteMark | null {
  const attributes = readAttributes(tag)
  const kept = attributes.get('data-quote')
  if (kept === 'introduction' || kept === 'container' || kept === 'cite') return kept
  if (attributes.get('type') === 'cite') return 'cite'
  const words = `${attributes.get('class') ?? ''} ${attributes.get('id') ?? ''}`.split(' ')
  if (words.some(word => isNamed(word, introductions))) return 'introduction'
  if (words.some(word => word !== 'quote' && isNamed(word, containers))) return 'container'
  return isNamed(attributes.get('name') ?? '', containers) ? 'container' : null
}
