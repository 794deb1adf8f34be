import { type Allowed, allowed, linkAttributes, sanitize } from '../core/text/markdown.ts'

/** Makes the HTML of an email safe to display. The result loads nothing. */

/** Classes and ids that mail programs use to mark quotes and signatures. Outlook prefixes those in quoted emails with `x_`. */
const marks =
  /^(?:x_)*(?:(?:ydp\w*)?yahoo_quoted|gmail_(?:quote|attr|extra|signature)\w*|moz-\w[\w-]*|divrplyfwdmsg|appendonsend|olk_src_\w+|mail-editor-reference-message-container|ms-outlook-mobile-\w+|protonmail_\w+|tutanota_quote|zmail_extra|qt|mailrucl\w*|isforwardcontent|isreplycontent|ntes\w*|foxmail\w*|wordsection1)$/i

const keepMarks = (text: string): string =>
  text
    .split(/\s+/)
    .filter(mark => marks.test(mark))
    .join(' ')

const isHidden = (style: string): boolean => {
  const packed = style.replaceAll(/\s+/g, '').toLowerCase()
  return /(?:^|;)(?:display:none|visibility:hidden|mso-hide:all)/.test(packed)
}

/** Marks an element to be removed. */
const hidden = 'data-hidden'

type Attributes = Record<string, string>

/** Marks elements hidden by their own style, such as preview text that is not visible in the email, and removes other classes and ids. */
function markHidden(tagName: string, attribs: Attributes): { tagName: string; attribs: Attributes } {
  if (attribs.style && isHidden(attribs.style)) return { tagName, attribs: { [hidden]: '1' } }
  const { class: classes, id, [hidden]: _, ...rest } = attribs
  const kept = { class: keepMarks(classes ?? ''), id: keepMarks(id ?? '') }
  return {
    tagName,
    attribs: { ...rest, ...(kept.class && { class: kept.class }), ...(kept.id && { id: kept.id }) },
  }
}

/** The index of the file that a URL refers to; null if there is none. */
export type FindFile = (address: string) => number | null

function changeImage({ src = '', ...rest }: Attributes, findFile: FindFile) {
  const address = src.trim()
  const file = findFile(address)
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('data-')))
  if (file !== null) return { ...others, 'data-file': String(file) }
  if (/^\/\//.test(address)) return { ...others, 'data-src': `https:${address}` }
  return /^https?:\/\//i.test(address) ? { ...others, 'data-src': address } : others
}

const emailOptions: Allowed = {
  ...allowed,
  allowedAttributes: {
    ...allowed.allowedAttributes,
    img: ['data-src', 'data-file', 'alt', 'title', 'width', 'height'],
    blockquote: ['type', 'cite'],
    ol: ['start', 'type'],
    td: ['colspan', 'rowspan'],
    th: ['colspan', 'rowspan'],
    '*': ['dir', 'lang', 'class', 'id', hidden],
  },
  // The parser treats the contents of most of these as text, which would be written as markup.
  nonTextTags: 'xml script style option textarea title xmp iframe noembed noframes plaintext'.split(' '),
  exclusiveFilter: ({ attribs }) => hidden in attribs,
  nestingLimit: 200,
}

/** Sanitises the HTML. Images get `data-file`, the index of a file, or `data-src`, a remote URL, instead of `src`. */
export function sanitizeMail(html: string, findFile: FindFile): string {
  return sanitize(html, {
    ...emailOptions,
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, ...linkAttributes } }),
      img: (tagName, attribs) => ({
        tagName,
        attribs: { ...changeImage(attribs, findFile), style: attribs.style ?? '' },
      }),
      '*': markHidden,
    },
  })
}
