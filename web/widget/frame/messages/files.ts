import { signal } from '@preact/signals'
import { base, inVisit, refuse, token } from '../core/api.ts'
import { asFailure, Failure } from '../core/failure.ts'
import { newId } from '../core/id.ts'
import type { Media } from '../core/records.ts'
import { fill, text } from '../core/text.ts'
import { printSize } from '../core/time.ts'
import { config } from '../session/config.ts'
import { requireVisitor } from '../session/session.ts'

/** A file for the message that is being written. It is uploaded at once. */
export interface Upload {
  key: string
  file: File
  /** From 0 to 1. */
  done: number
  media: Media | null
  failure: string | null
}

export const uploads = signal<Upload[]>([])

const maxFiles = 10

const change = (key: string, next: Partial<Upload>): void => {
  uploads.value = uploads.peek().map(one => (one.key === key ? { ...one, ...next } : one))
}

const requests = new Map<string, XMLHttpRequest>()

/** Uses XMLHttpRequest, because it is the only way to get the progress of an upload. */
function transfer(key: string, file: File): Promise<Media> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const as = token.peek()
    requests.set(key, request)
    request.open('POST', `${base}/files`)
    request.setRequestHeader('authorization', `Bearer ${as}`)
    request.setRequestHeader('idempotency-key', key)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => change(key, { done: loaded / total })
    request.onload = () => {
      if (request.status === 401) refuse(as)
      if (request.status < 300) resolve(request.response)
      else reject(new Failure(request.status, request.response?.error_code ?? request.response?.code))
    }
    request.onerror = () => reject(new Failure(0))
    request.onloadend = () => requests.delete(key)
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}

export const put = (key: string, file: File): Promise<Media> => inVisit({}, transfer(key, file))

const sayTooLarge = () =>
  fill(text.peek().tooLarge, { size: printSize(config.peek()?.features.max_file_bytes ?? 0) })

export async function upload(one: Upload): Promise<void> {
  change(one.key, { failure: null, done: 0 })
  try {
    await requireVisitor()
    change(one.key, { media: await put(one.key, one.file), done: 1 })
  } catch (error) {
    const { status, code } = asFailure(error)
    const isTooLarge = status === 413 || code === 'FILE_TOO_LARGE'
    change(one.key, { failure: isTooLarge ? sayTooLarge() : text.peek().fileFailed })
  }
}

/** Returns the reason if a file cannot be accepted, or null. */
export function addFiles(files: Iterable<File>): string | null {
  const features = config.peek()?.features
  if (!features?.files) return null
  const room = maxFiles - uploads.peek().length
  const chosen = [...files]
  const added = chosen.slice(0, room).map(file => {
    const failure = file.size > features.max_file_bytes ? sayTooLarge() : null
    return { key: newId(), file, done: 0, media: null, failure }
  })
  uploads.value = [...uploads.peek(), ...added]
  for (const one of added) if (!one.failure) void upload(one)
  return chosen.length > room ? text.peek().tooManyFiles : null
}

export function removeUpload(key: string): void {
  requests.get(key)?.abort()
  uploads.value = uploads.peek().filter(one => one.key !== key)
}

/**
 * Uploads the files again for a new visitor, who cannot use those of the previous one. Results of the old
 * uploads are ignored.
 */
export function carryUploads(isStaying: (key: string) => boolean): void {
  const left = uploads.peek()
  for (const { key } of left) removeUpload(key)
  uploads.value = left
    .filter(({ key }) => isStaying(key))
    .map(one => ({
      ...one,
      key: newId(),
      media: null,
      failure: one.failure === sayTooLarge() ? one.failure : null,
    }))
  for (const one of uploads.peek()) if (!one.failure) void upload(one)
}

/**
 * Until the message is confirmed, its images are shown from this page, because the server gives URLs only
 * with a message.
 */
const asShown = (media: Media, file: File) => {
  const url = media.kind === 'image' ? URL.createObjectURL(file) : ''
  return { ...media, url, thumb_url: null, file }
}

export function takeUploads(): ReturnType<typeof asShown>[] {
  const taken = uploads.peek().flatMap(({ media, file }) => (media ? asShown(media, file) : []))
  uploads.value = uploads.peek().filter(({ media }) => !media)
  return taken
}
