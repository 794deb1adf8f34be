import { contentTypeOf, safeFilename } from './filename.ts'
import type { MailFile } from './mail.ts'
import { isMailFile, listParts, type Part } from './part.ts'
import type { FindFile } from './sanitize.ts'

/** The parts that are stored as files, in order. They include a text part that is too long to be shown whole. */
export function listFileParts(root: Part): Part[] {
  const parts = listParts(root).filter(part => part.body?.path && part.role !== 'multipart')
  // Google sends an invitation twice: as an alternative to the text and as a file.
  return parts.filter((part, at) => {
    const isRepeated = parts.slice(at + 1).some(other => other.body!.sha256 === part.body!.sha256)
    return part.role !== 'calendar' || !isRepeated
  })
}

/** The file name. An attached email without one is named after its subject. */
function nameOf(part: Part, subjects: Map<Part, string>): string {
  const contentType = isMailFile(part) ? 'message/rfc822' : part.contentType
  const subject = part.filename ? null : subjects.get(part)
  return safeFilename(part.filename ?? subject?.replaceAll(/[/\\]/g, '_') ?? null, contentType)
}

export function makeFile(part: Part, subjects: Map<Part, string>): MailFile {
  const filename = nameOf(part, subjects)
  return {
    filename,
    contentType: contentTypeOf(part.contentType, part.filename),
    size: part.body!.size,
    sha256: part.body!.sha256,
    path: part.body!.path!,
    contentId: part.contentId,
    isInline: false,
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Normalises a Content-ID, because mail programs differ in spaces, brackets, `cid:`, percent encoding and case. */
const idKey = (id: string): string =>
  decodePercent(id.trim().replace(/^cid:(?:\/\/)?/i, ''))
    .replaceAll(/[\s<>"']/g, '')
    .toLowerCase()

/** An image from a `data:` URL in the HTML. */
export interface DataPicture {
  contentType: string
  bytes: Buffer
}

function readDataUrl(address: string): DataPicture | null {
  const comma = address.indexOf(',')
  const head = address.slice(5, Math.max(5, comma)).toLowerCase()
  const [, contentType] = /^(image\/(?:png|jpeg|jpg|gif|webp|bmp)) ?;/.exec(head) ?? []
  if (!contentType || !head.endsWith('base64')) return null
  return { contentType, bytes: Buffer.from(address.slice(comma + 1), 'base64') }
}

/** Finds files by Content-ID or Content-Location. `store` stores an image from a `data:` URL as a file. */
export function fileFinder(
  parts: Pick<Part, 'contentId' | 'location'>[],
  files: MailFile[],
  store?: (picture: DataPicture) => MailFile | null,
): FindFile {
  const byId = new Map<string, number>()
  const add = (id: string | null, index: number) => {
    if (id && !byId.has(idKey(id))) byId.set(idKey(id), index)
  }
  for (const [index, { contentId }] of parts.entries()) add(contentId, index)
  for (const [index, { location }] of parts.entries()) add(location, index)
  return address => {
    const picture = /^data:/i.test(address) ? readDataUrl(address) : null
    const stored = picture && store?.(picture)
    if (stored) return files.push(stored) - 1
    const isRemote = /^(?:https?|data):/i.test(address)
    const index = address === '' ? undefined : byId.get(isRemote ? address.toLowerCase() : idKey(address))
    return index ?? null
  }
}

/** Marks the files that the HTML shows as inline. */
export function markInline(html: string | null, files: MailFile[]): void {
  for (const [, index] of (html ?? '').matchAll(/<img\b[^<>]*? data-file="(\d+)"/g)) {
    const file = files[Number(index)]
    if (file) file.isInline = true
  }
}
