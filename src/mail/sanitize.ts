import { type Allowed, allowed, linkAttributes, sanitize } from '../core/markdown.ts'

/** The HTML of a mail, safe to display. It loads nothing. */

/** Classes and ids by which mail programs mark quotes and signatures. Outlook puts `x_` before those of a mail that it quotes. */
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

/** Marks an element until it is removed. */
const hidden = 'data-hidden'

type Attributes = Record<string, string>

/** Removes what is hidden by its own style: texts for the preview of a mailbox that nobody sees in the mail. */
function keepVisible(tagName: string, attribs: Attributes): { tagName: string; attribs: Attributes } {
  if (attribs.style && isHidden(attribs.style)) return { tagName, attribs: { [hidden]: '1' } }
  const { class: classes, id, [hidden]: _, ...rest } = attribs
  const kept = { class: keepMarks(classes ?? ''), id: keepMarks(id ?? '') }
  return {
    tagName,
    attribs: { ...rest, ...(kept.class && { class: kept.class }), ...(kept.id && { id: kept.id }) },
  }
}

/** Finds the index of the file that an address means; null if it means none. */
export type FindFile = (address: string) => number | null

function changeImage({ src = '', ...rest }: Attributes, findFile: FindFile) {
  const address = src.trim()
  const file = findFile(address)
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('data-')))
  if (file !== null) return { ...others, 'data-file': String(file) }
  if (/^\/\//.test(address)) return { ...others, 'data-src': `https:${address}` }
  return /^https?:\/\//i.test(address) ? { ...others, 'data-src': address } : others
}

const inMails: Allowed = {
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
  // The parser reads the contents of most of them as text, which would come out as markup.
  nonTextTags: 'xml script style option textarea title xmp iframe noembed noframes plaintext'.split(' '),
  exclusiveFilter: ({ attribs }) => hidden in attribs,
  nestingLimit: 200,
}

/** Sanitises the HTML. Pictures get `data-file`, the index of a file, or `data-src`, a remote address, and have no `src`. */
export function sanitizeMail(html: string, findFile: FindFile): string {
  return sanitize(html, {
    ...inMails,
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, ...linkAttributes } }),
      img: (tagName, attribs) => ({
        tagName,
        attribs: { ...changeImage(attribs, findFile), style: attribs.style ?? '' },
      }),
      '*': keepVisible,
    },
  })
}
