import type { OutgoingFile, OutgoingLink } from '../../../mail/compose/outgoing-email.ts'
import { type Storages, signedQuery } from '../../../media/media.ts'
import { BuildError } from './build-error.ts'
import type { FileFacts } from './build-queries.ts'

/** Attaches files to an email, or links to them if they are too large. */

export interface EmailFileDeps {
  storages: Storages
  publicUrl: string
}

/** For all attachments of an email. Many servers refuse more than 25 MB, and base64 makes files a third larger. */
const maxBytes = 25 * 1024 * 1024
const encoded = (size: number): number => Math.ceil((size * 4) / 3)

const linkSeconds = 30 * 86_400

export function toFile({ storages }: EmailFileDeps, file: FileFacts): OutgoingFile {
  const { id, filename, content_type, size, bucket_id, storage_key } = file
  return {
    ...{ name: filename, type: content_type, size, contentId: id },
    async open() {
      const place = await storages.find(bucket_id)
      const content = await place?.storage.read(storage_key)
      if (!content) throw new BuildError('file_missing', `The file ${filename} is missing`)
      return content
    },
  }
}

export function toLink({ publicUrl }: EmailFileDeps, { id, filename, size }: FileFacts): OutgoingLink {
  const now = Date.now()
  const url = `${publicUrl.replace(/\/$/, '')}/api/media/${id}${signedQuery(id, now, linkSeconds)}`
  return { name: filename, size, url, expiresAt: new Date(now + linkSeconds * 1_000) }
}

/** Attaches all files if they fit together. Otherwise links to the largest ones. */
export function divideFiles(files: FileFacts[]): { attached: FileFacts[]; linked: Set<FileFacts> } {
  const linked = new Set<FileFacts>()
  let total = files.reduce((sum, { size }) => sum + encoded(size), 0)
  for (const file of files.toSorted((one, other) => other.size - one.size)) {
    if (total <= maxBytes) break
    linked.add(file)
    total -= encoded(file.size)
  }
  return { attached: files.filter(file => !linked.has(file)), linked }
}
