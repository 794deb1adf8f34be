import { escapeHtml } from '../../core/text/markdown.ts'
import type { OutgoingFile } from './outgoing-email.ts'

/** Prepares sanitised HTML for an email. In it, every < begins a tag and every > ends one. */

const image = /<img\b[^<>]*>/gi
const source = /\ssrc="([^"]*)"/i
const alternative = /\salt="([^"]*)"/i
const width = /\swidth="(\d{1,4})"/i

const addressOfFile = /^(?:cid:|\/api\/v1\/media\/)([^?#]+)$/i

/** The file that an image shows; null if it is none of these. */
function findShown(tag: string, files: OutgoingFile[]): OutgoingFile | null {
  const [, id] = addressOfFile.exec(source.exec(tag)?.[1]?.trim() ?? '') ?? []
  return (id !== undefined && files.find(({ contentId }) => contentId === id)) || null
}

/** The Content-ID of a file, which has a domain even if the ID in the HTML has none. */
export function contentIdOf({ contentId }: OutgoingFile, domain: string): string {
  const id = (contentId ?? '').replaceAll(/[^\w.@+=-]/g, '_').slice(0, 200)
  return id.includes('@') ? id : `${id}@${domain}`
}

interface Images {
  files: OutgoingFile[]
  /** Of the Content-IDs. */
  domain: string
  /** Whether images of other servers stay. Those in quoted messages could be there to observe their readers. */
  keepsRemote: boolean
}

function placeImage(tag: string, { files, domain, keepsRemote }: Images): string {
  const file = findShown(tag, files)
  const text = alternative.exec(tag)?.[1] ?? ''
  if (file) {
    // Outlook does not know max-width.
    const [size = ''] = width.exec(tag) ?? []
    return `<img src="cid:${contentIdOf(file, domain)}" alt="${text}"${size} style="max-width:100%;height:auto">`
  }
  return keepsRemote && /\ssrc="https:/i.test(tag) ? tag : text
}

/** Blocks without a direction of their own. */
const block = /<(p|div|li|ul|ol|blockquote|h[1-6])((?:\s(?!dir=)[\w-]+(?:="[^"]*")?)*)>/gi

/** Each paragraph gets the direction of its own language. */
const addDirections = (html: string): string => html.replaceAll(block, '<$1 dir="auto"$2>')

/** Sanitised HTML with its images, each of them a file of the email or left out. */
export const prepareHtml = (html: string, images: Images): string =>
  addDirections(html.replaceAll(image, tag => placeImage(tag, images)))

const url = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?()[\]{}])/i

/** Escaped text in which URLs are links. Outlook does not make them links. */
const withLinks = (text: string): string =>
  text
    .split(url)
    .map((piece, at) =>
      at % 2 === 1 ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>` : escapeHtml(piece),
    )
    .join('')

/** Plain text as HTML. Spaces at the beginning of lines stay. */
export const htmlOfPlain = (text: string): string =>
  text
    .trim()
    .split(/\n{2,}/)
    .map(paragraph => {
      const lines = withLinks(paragraph).replaceAll(/^ +/gm, spaces => '&nbsp;'.repeat(spaces.length))
      return `<p dir="auto" style="margin:0 0 12px">${lines.replaceAll('\n', '<br>')}</p>`
    })
    .join('\n')
