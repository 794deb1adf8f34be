import { asFailure } from '../core/failure.ts'
import { newId } from '../core/id.ts'
import { showNotice } from '../core/notice.ts'
import { text } from '../core/text.ts'
import { type Attachment, maxFiles, problemOf, upload } from './attachments.ts'
import { type DraftPlace, draftOf, writeDraft } from './draft.ts'

/** Uploads in progress, by the key of their attachment. */
const underWay = new Map<string, { file: File; abort(): void }>()

function patch(place: DraftPlace, key: string, change: Partial<Attachment>): void {
  const { files } = draftOf(place).get()
  if (!files.some(one => one.key === key)) return
  writeDraft(place, { files: files.map(one => (one.key === key ? { ...one, ...change } : one)) })
}

async function send(place: DraftPlace, key: string, file: File): Promise<void> {
  const { done, abort } = upload(place.projectId, file, progress => patch(place, key, { progress }))
  underWay.set(key, { file, abort })
  try {
    patch(place, key, { media: await done, progress: 100, error: null })
    underWay.delete(key)
  } catch (thrown) {
    if ((thrown as Error).name !== 'AbortError') patch(place, key, { error: asFailure(thrown).message })
  }
}

/** Starts the uploads; a file that cannot be accepted is reported at once. */
export function attach(place: DraftPlace, files: Iterable<File>): void {
  for (const file of files) {
    const known = draftOf(place).get().files
    if (known.length >= maxFiles) {
      showNotice(text.composer.tooMany(maxFiles))
      return
    }
    const error = problemOf(file)
    const key = newId()
    const added = { key, name: file.name, size: file.size, progress: 0, media: null, error }
    writeDraft(place, { files: [...known, added] })
    if (!error) void send(place, key, file)
  }
}

export function retryUpload(place: DraftPlace, key: string): void {
  const known = underWay.get(key)
  if (!known) return
  patch(place, key, { error: null, progress: 0 })
  void send(place, key, known.file)
}

export const mayRetryUpload = (key: string): boolean => underWay.has(key)

export function detach(place: DraftPlace, key: string): void {
  underWay.get(key)?.abort()
  underWay.delete(key)
  writeDraft(place, {
    files: draftOf(place)
      .get()
      .files.filter(one => one.key !== key),
  })
}

export const fileOf = (content: string): File => new File([content], 'text.txt', { type: 'text/plain' })
