import { Libmime } from 'libmime'

const libmime = new Libmime()

const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff\ufffd<>:"|?*]/gu

/** Shortens a name to 255 bytes of UTF-8, the limit of file systems, and keeps the extension. */
function cut(name: string): string {
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : ''
  let base = [...name.slice(0, name.length - extension.length)]
  while (Buffer.byteLength(base.join('') + extension) > 255)
    base = base.slice(0, Math.min(base.length - 1, 255))
  return base.join('') + extension
}

const nameByType: Record<string, string> = {
  'text/calendar': 'invite.ics',
  'text/plain': 'message.txt',
  'text/html': 'message.html',
  'message/rfc822': 'message.eml',
}

function defaultName(contentType: string): string {
  const known = nameByType[contentType]
  if (known) return known
  const kind = /^(image|audio|video)\//.exec(contentType)?.[1] ?? 'file'
  return `${kind}.${libmime.detectExtension(contentType)}`
}

/**
 * A file name that is safe to show and store: not empty, at most 255 bytes of UTF-8, without a path, control characters or
 * bidirectional formatting characters.
 */
export function safeFilename(given: string | null, contentType: string): string {
  const clean = (given ?? '')
    .toWellFormed()
    .replaceAll(forbidden, char => (/[<>:"|?*]/.test(char) ? '_' : ''))
  const parts = clean.split(/[/\\]/)
  const last = parts.findLast(part => part.trim() !== '') ?? ''
  const name = last
    .replace(/^[.\s]{1,300}/, '')
    .trim()
    .replaceAll(/ {2,}/g, ' ')
  if (name === '') return defaultName(contentType)
  const isMail = contentType === 'message/rfc822' && !/\.eml$/i.test(name)
  return cut(isMail ? `${name}.eml` : name)
}

/** The declared content type, or the type for the extension if the declaration is invalid or generic. */
export function contentTypeOf(declared: string, filename: string | null): string {
  const isType = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(declared)
  if (isType && declared !== 'application/octet-stream') return declared
  return (filename && libmime.detectMimeType(filename)) || 'application/octet-stream'
}
