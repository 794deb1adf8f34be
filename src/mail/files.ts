import { contentTypeOf, safeFilename } from './filename.ts'
import type { MailFile } from './mail.ts'
import { isMailFile, listParts, type Part } from './part.ts'
import type { FindFile } from './sanitize.ts'

/** Parts that are files, in the order of the mail. A text is one if it is longer than what is shown. */
export const listFileParts = (root: Part): Part[] =>
  listParts(root).filter(part => part.body?.path && part.role !== 'multipart')

/** A mail inside of the mail is named after its subject. */
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

/** What is left of an id when spaces, brackets, `cid:`, percent signs and capitals, which programs write differently, are gone. */
const idKey = (id: string): string =>
  decodePercent(id.trim().replace(/^cid:(?:\/\/)?/i, ''))
    .replaceAll(/[\s<>"']/g, '')
    .toLowerCase()

/** Finds files by Content-ID, or by Content-Location, and marks them as inline. */
export function fileFinder(parts: Pick<Part, 'contentId' | 'location'>[], files: MailFile[]): FindFile {
  const byId = new Map<string, number>()
  const add = (id: string | null, index: number) => {
    if (id && !byId.has(idKey(id))) byId.set(idKey(id), index)
  }
  for (const [index, { contentId }] of parts.entries()) add(contentId, index)
  for (const [index, { location }] of parts.entries()) add(location, index)
  return address => {
    const isRemote = /^(?:https?|data):/i.test(address)
    const index = address === '' ? undefined : byId.get(isRemote ? address.toLowerCase() : idKey(address))
    if (index === undefined) return null
    files[index]!.isInline = true
    return index
  }
}
