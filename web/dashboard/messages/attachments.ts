import type { Shape } from '../core/answers.ts'
import { asFailure, Failure } from '../core/failure.ts'
import { printNumber } from '../core/format.ts'
import { awaitRenewal } from '../core/session.ts'
import { text } from '../core/text.ts'

export type Media = Pick<Shape<'Media'>, 'id' | 'filename' | 'size' | 'kind'>

/** A file that is being uploaded, or has been. */
export interface Attachment {
  key: string
  name: string
  size: number
  /** From 0 to 100. */
  progress: number
  media: Media | null
  error: string | null
}

/** The server's limits: bytes per file, and files per message. */
export const maxFileBytes = 20 * 1024 * 1024
export const maxFiles = 10

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function printSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const shape = {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: 'short',
    maximumFractionDigits: step > 1 ? 1 : 0,
  } as const
  return printNumber(bytes / 1024 ** step, shape)
}

export const attachmentOf = (media: Media): Attachment => ({
  key: media.id,
  name: media.filename,
  size: media.size,
  progress: 100,
  media,
  error: null,
})

/** The reason why a file cannot be accepted, before anything is sent. */
export const problemOf = ({ name, size }: Pick<File, 'name' | 'size'>): string | null =>
  size > maxFileBytes ? text.composer.tooLarge(name, printSize(maxFileBytes)) : null

interface Uploading {
  done: Promise<Media>
  abort(): void
}

/** Uploads with XMLHttpRequest, because fetch does not report progress. */
export function upload(projectId: string, file: File, onProgress: (percent: number) => void): Uploading {
  let request: XMLHttpRequest
  const send = () =>
    new Promise<Media>((resolve, reject) => {
      request = new XMLHttpRequest()
      request.open('POST', `/api/dashboard/projects/${projectId}/media/upload`)
      request.responseType = 'json'
      request.upload.onprogress = ({ loaded, total }) => onProgress(Math.floor((loaded / total) * 100))
      request.onerror = () => reject(new Failure(0, null))
      request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'))
      request.onload = () =>
        request.status === 201
          ? resolve(request.response)
          : reject(new Failure(request.status, request.response))
      const form = new FormData()
      form.append('file', file)
      request.send(form)
    })
  const sendAgain = async (failure: unknown): Promise<Media> => {
    const renewed = asFailure(failure).status === 401 ? awaitRenewal() : null
    if (!renewed) throw failure
    await renewed
    return send()
  }
  return { done: send().catch(sendAgain), abort: () => request.abort() }
}
